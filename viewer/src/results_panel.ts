// Where a person chooses what charts show of poses and forces, and takes it away as CSV.
import { element } from './panel';
import { kQuantities, kTables, type TableName } from './results';
import type { Viewer } from './viewer';

export class ResultsPanel {
  private table = element<HTMLSelectElement>('result_table');
  private subject = element<HTMLSelectElement>('result_subject');
  private quantity = element<HTMLSelectElement>('result_quantity');
  private listed = '';

  constructor(private viewer: Viewer, private onChange: () => void) {
    this.table.replaceChildren(...kTables.map((name) => new Option(name, name)));
    this.table.onchange = () => this.update();
    element<HTMLDetailsElement>('results').ontoggle = () => void this.open();
    element('result_add').onclick = () => this.add();
    element('result_clear').onclick = () => this.choose(() => (viewer.results.chosen = []));
    element('result_save').onclick = () => this.save();
  }

  // The tables are read when somebody wants them.
  private async open() {
    if (!element<HTMLDetailsElement>('results').open) return;
    await this.viewer.loadResults();
    this.update();
  }

  private choose(change: () => void) {
    change();
    this.onChange();
    this.update();
  }

  private add() {
    const { results } = this.viewer;
    const choice = { table: this.table.value as TableName, subject: this.subject.value, quantity: Number(this.quantity.value) };
    const isThere = results.chosen.some((other) => JSON.stringify(other) === JSON.stringify(choice));
    if (choice.subject && !isThere) this.choose(() => results.chosen.push(choice));
  }

  private save() {
    const { results, metrics } = this.viewer;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([results.format(metrics.steps, (row) => metrics.times[row]!)], { type: 'text/csv' }));
    link.download = 'chart.csv';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // After new rows, or another table.
  update() {
    const { results } = this.viewer, name = (this.table.value || 'bodies') as TableName;
    const subjects = results.tables.get(name)!.subjects();
    element('results').hidden = this.viewer.metrics.steps.length === 0;
    const listed = `${name}\n${subjects.join('\n')}`;
    if (listed !== this.listed) {
      this.listed = listed;
      const before = this.subject.value;
      this.subject.replaceChildren(...subjects.map((subject) => new Option(subject, subject)));
      if (subjects.includes(before)) this.subject.value = before;
      this.quantity.replaceChildren(...kQuantities[name].map((quantity, k) => new Option(quantity.label, String(k))));
    }
    element<HTMLButtonElement>('result_add').disabled = subjects.length === 0;
    element<HTMLButtonElement>('result_save').disabled = results.chosen.length === 0;
    element<HTMLButtonElement>('result_clear').disabled = results.chosen.length === 0;
  }
}
