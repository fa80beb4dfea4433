// Figures per step, as metrics.jsonl has them; whatever is missing is left out.

export interface Series {
  name: string;
  unit: string;
  isLogarithmic: boolean;
  lines: { label: string; values: Float64Array }[]; // by row; NaN where there is none
}

interface Quantity {
  label: string;
  take: (line: any) => unknown;
}

interface Chart {
  name: string;
  unit: string;
  isLogarithmic?: boolean;
  lines: Quantity[];
}

const sumOf = (energy: any) => {
  const parts = Object.values(energy ?? {}).filter((x): x is number => typeof x === 'number');
  return parts.length ? parts.reduce((a, b) => a + b) : undefined;
};

const kCharts: Chart[] = [
  { name: 'Iterations', unit: '', lines: [{ label: '', take: (l) => l.iterations }] },
  { name: 'Contacts', unit: '', lines: [{ label: '', take: (l) => l.contacts }] },
  { name: 'Smallest gap', unit: 'm', isLogarithmic: true, lines: [{ label: '', take: (l) => l.min_gap ?? l.smallest_gap }] },
  {
    name: 'Energy', unit: 'J',
    lines: [
      { label: 'total', take: (l) => sumOf(l.energy) },
      { label: 'kinetic', take: (l) => l.energy?.kinetic },
      { label: 'elastic', take: (l) => l.energy?.elastic },
      { label: 'gravity', take: (l) => l.energy?.gravity },
    ],
  },
  { name: 'Time per step', unit: 's', lines: [{ label: '', take: (l) => l.wall_time }] },
];

export class Metrics {
  steps: number[] = [];
  times: number[] = []; // of the same rows
  // Charts of other tables over the same steps.
  extra: (steps: number[]) => Series[] = () => [];
  private columns: number[][][] = kCharts.map((chart) => chart.lines.map(() => []));

  clear() {
    this.steps = [];
    this.times = [];
    this.columns = kCharts.map((chart) => chart.lines.map(() => []));
  }

  // Takes in lines; those that are no JSON are passed over.
  add(text: string) {
    for (const line of text.split('\n')) {
      if (!line) continue;
      try {
        this.addRow(JSON.parse(line));
      } catch {
        // A torn line.
      }
    }
  }

  private addRow(line: any) {
    if (typeof line?.step !== 'number') return;
    while (this.steps.length > 0 && this.steps[this.steps.length - 1]! >= line.step) {
      this.steps.pop();
      this.times.pop();
      this.columns.flat().forEach((column) => column.pop());
    }
    this.steps.push(line.step);
    this.times.push(typeof line.time === 'number' ? line.time : NaN);
    kCharts.forEach((chart, c) => chart.lines.forEach((quantity, q) => {
      const value = quantity.take(line);
      this.columns[c]![q]!.push(typeof value === 'number' ? value : NaN);
    }));
  }

  // Row of the last step that is not after this one; −1 if there is none.
  rowAt(step: number): number {
    let low = 0, high = this.steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.steps[middle]! <= step) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  // The charts of which something is known.
  series(): Series[] {
    const own: Series[] = kCharts.map((chart, c) => ({
      name: chart.name,
      unit: chart.unit,
      isLogarithmic: chart.isLogarithmic ?? false,
      lines: chart.lines
        .map((quantity, q) => ({ label: quantity.label, values: Float64Array.from(this.columns[c]![q]!) }))
        .filter((line) => line.values.some(Number.isFinite)),
    }));
    return own.filter((series) => series.lines.length > 0).concat(this.extra(this.steps));
  }
}
