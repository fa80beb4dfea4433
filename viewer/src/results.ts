// Poses and forces by step, as bodies.csv, contacts.csv and joints.csv have them, for charts that a person chooses.
import type { Series } from './metrics';

export type TableName = 'bodies' | 'contacts' | 'joints';
export const kTables: TableName[] = ['bodies', 'contacts', 'joints'];

// What a chart may show: columns that are drawn together, and their unit.
interface Quantity {
  label: string;
  unit: string;
  columns: string[];
}

const axes = (name: string) => ['x', 'y', 'z'].map((axis) => (name ? `${name}_${axis}` : axis));
const force = (label: string, name: string): Quantity => ({ label, unit: 'N', columns: axes(name) });
const torque = (label: string, name: string): Quantity => ({ label, unit: 'N m', columns: axes(name) });

export const kQuantities: { [table in TableName]: Quantity[] } = {
  bodies: [
    force('Normal force', 'normal'), force('Friction', 'friction'), torque('Contact torque', 'contact_torque'),
    { label: 'Centre', unit: 'm', columns: ['x', 'y', 'z'] },
    { label: 'Rotation (quaternion)', unit: '', columns: ['qw', 'qx', 'qy', 'qz'] },
    { label: 'Velocity', unit: 'm/s', columns: ['vx', 'vy', 'vz'] },
    { label: 'Angular velocity', unit: 'rad/s', columns: ['wx', 'wy', 'wz'] },
    force('Reaction', 'reaction'), torque('Reaction torque', 'reaction_torque'),
    force('Joint force', 'joint'), torque('Joint torque', 'joint_torque'),
    force('Load', 'load'), torque('Load torque', 'load_torque'),
  ],
  contacts: [
    force('Normal force', 'normal'), force('Friction', 'friction'), torque('Torque', 'torque'),
    { label: 'Point of application', unit: 'm', columns: ['x', 'y', 'z'] },
    { label: 'Pressing', unit: 'N', columns: ['pressing'] },
    { label: 'Contacts', unit: '', columns: ['contacts'] },
    { label: 'Gap', unit: 'm', columns: ['gap'] },
    { label: 'Slip', unit: 'm/s', columns: ['slip'] },
    { label: 'Sticking', unit: '', columns: ['sticking'] },
  ],
  joints: [
    force('Force', 'force'), torque('Torque', 'torque'),
    { label: 'Coordinate', unit: 'm or rad', columns: ['coordinate'] },
  ],
};

// The fields of a line of CSV; names may be in quotes.
export function splitRow(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  const fields = [''];
  let isQuoted = false;
  for (let i = 0; i < line.length; ++i) {
    const c = line[i]!;
    if (c === '"') {
      if (!isQuoted && i > 0 && line[i - 1] === '"') fields[fields.length - 1] += '"';
      isQuoted = !isQuoted;
    } else if (c === ',' && !isQuoted) fields.push('');
    else fields[fields.length - 1] += c;
  }
  return fields;
}

// One table; rows come in order of steps.
export class Table {
  private header: string[] = [];
  private rows = new Map<string, Map<number, string[]>>(); // by subject and step

  constructor(readonly name: TableName) {}

  // Takes in whole lines.
  add(text: string) {
    for (const line of text.split('\n')) {
      if (!line) continue;
      const fields = splitRow(line);
      if (this.header.length === 0) {
        this.header = fields;
        continue;
      }
      if (fields.length !== this.header.length) continue;
      const subject = this.subjectOf(fields);
      if (!this.rows.has(subject)) this.rows.set(subject, new Map());
      this.rows.get(subject)!.set(Number(fields[0]), fields);
    }
  }

  private subjectOf(fields: string[]): string {
    const at = (column: string) => fields[this.header.indexOf(column)] ?? '';
    if (this.name === 'contacts') return `${at('a')} – ${at('b')}`;
    return at(this.name === 'bodies' ? 'body' : 'joint');
  }

  subjects(): string[] {
    return [...this.rows.keys()];
  }

  // The values at these steps; where there is no row nothing is drawn.
  values(subject: string, column: string, steps: number[]): Float64Array {
    const at = this.header.indexOf(column), rows = this.rows.get(subject);
    return Float64Array.from(steps, (step) => {
      const field = rows?.get(step)?.[at];
      return field ? Number(field) : NaN;
    });
  }
}

export interface Choice {
  table: TableName;
  subject: string;
  quantity: number;
}

export class Results {
  tables = new Map<TableName, Table>(kTables.map((name) => [name, new Table(name)]));
  chosen: Choice[] = [];

  clear() {
    this.tables = new Map(kTables.map((name) => [name, new Table(name)]));
  }

  quantityOf(choice: Choice): Quantity {
    return kQuantities[choice.table][choice.quantity]!;
  }

  series(steps: number[]): Series[] {
    return this.chosen.map((choice) => {
      const { label, unit, columns } = this.quantityOf(choice);
      const table = this.tables.get(choice.table)!;
      return {
        name: `${choice.subject}: ${label}`,
        unit,
        isLogarithmic: false,
        lines: columns.map((column) => ({
          label: columns.length === 1 ? '' : column.replace(/^.*_/, ''),
          values: table.values(choice.subject, column, steps),
        })),
      };
    });
  }

  // All that is chosen, side by side, as CSV.
  format(steps: number[], timeOf: (row: number) => number): string {
    const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const columns = this.chosen.flatMap((choice) => this.quantityOf(choice).columns.map((column) => ({
      name: `${choice.subject} ${column}`,
      values: this.tables.get(choice.table)!.values(choice.subject, column, steps),
    })));
    const lines = [['step', 'time', ...columns.map((column) => quote(column.name))].join(',')];
    steps.forEach((step, row) => {
      const fields = columns.map((column) => (Number.isFinite(column.values[row]!) ? String(column.values[row]) : ''));
      lines.push([step, timeOf(row), ...fields].join(','));
    });
    return `${lines.join('\n')}\n`;
  }
}
