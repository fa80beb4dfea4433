// Colours of bodies, kinds and values.
import { Color } from 'three';

export type Theme = 'light' | 'dark';

// Steps of equal lightness and muted chroma, apart for the colour-blind as far as ten can be.
const kBodies = ['#4c8dae', '#e07a5f', '#81b29a', '#e9b44c', '#9c7bb8', '#d4668e', '#4fa3a5', '#b08968', '#7d8cc4', '#8fa04f'];
const kKinds: { [kind: string]: string } = {
  soft: '#4c8dae', affine: '#e07a5f', rigid: '#9c7bb8', medial: '#81b29a', obstacle: '#a3a9b2', mesh: '#4c8dae',
};
const kObstacles = ['#b4b9c1', '#9aa4b0', '#c6beb0', '#a5b3a9', '#bcb0ba', '#8e979f'];
export const kNoValue = '#b4b9c1'; // of bodies that have no value

// Dark to light, even in brightness.
const kScale = ['#440154', '#472d7b', '#3b528b', '#2c728e', '#21918c', '#28ae80', '#5ec962', '#addc30', '#fde725'];

export type ColourMode = 'body' | 'kind' | 'displacement' | string; // or the name of a field

export interface Body {
  name: string;
  kind: string;
  color?: string;
}

// The colour, lighter or darker: numbers 1, 2, … are as far from each other as can be, 0 changes nothing.
export function shade(colour: string, number: number): string {
  if (number === 0) return colour;
  const result = new Color(colour), hsl = { h: 0, s: 0, l: 0 };
  result.getHSL(hsl);
  const shift = ((number * 0.618034 + 0.5) % 1) - 0.5;
  return `#${result.setHSL(hsl.h, hsl.s, Math.min(Math.max(hsl.l + 0.34 * shift, 0.12), 0.9)).getHexString()}`;
}

// Each body's colour where colours are no values: those of the scene, or ours; obstacles are grey, each its own.
export function bodyColours(bodies: Body[], mode: ColourMode): string[] {
  let obstacles = 0, others = 0;
  return bodies.map((body) => {
    if (mode === 'kind') return kKinds[body.kind] ?? kBodies[hash(body.kind) % kBodies.length]!;
    const list = body.kind === 'obstacle' ? kObstacles : kBodies;
    const index = body.kind === 'obstacle' ? obstacles++ : others++;
    return body.color ?? shade(list[index % list.length]!, Math.floor(index / list.length));
  });
}

// Whether a body has values of the field: rigid and affine bodies do not strain, and stress is that of tets.
export function hasValues(body: { kind: string; tets: number }, mode: ColourMode): boolean {
  if (body.kind === 'obstacle') return mode === 'displacement';
  if (mode !== 'von_mises') return true;
  return body.kind !== 'rigid' && body.kind !== 'affine' && (body.kind !== 'soft' || body.tets > 0);
}

export const kColourNames: { [name: string]: string } = {
  body: 'Body', kind: 'Kind', displacement: 'Displacement', von_mises: 'Von Mises stress', contact_pressure: 'Contact pressure',
};
export const kUnits: { [name: string]: string } = { displacement: 'm', von_mises: 'Pa', contact_pressure: 'Pa' };

function hash(text: string): number {
  let h = 7;
  for (let i = 0; i < text.length; ++i) h = (h * 31 + text.charCodeAt(i)) >>> 0;
  return h;
}

// 256 colours, linear, three bytes each, for values from 0 to 1.
export const scaleTable: Uint8Array = (() => {
  const table = new Uint8Array(256 * 3), stops = kScale.map((c) => new Color(c)), mixed = new Color();
  for (let i = 0; i < 256; ++i) {
    const place = (i / 255) * (stops.length - 1), k = Math.min(Math.floor(place), stops.length - 2);
    mixed.copy(stops[k]!).lerp(stops[k + 1]!, place - k);
    table.set([mixed.r, mixed.g, mixed.b].map((x) => Math.round(255 * x)), 3 * i);
  }
  return table;
})();

export const scaleStops = kScale;
export const scaleGradient = `linear-gradient(to right, ${kScale.join(', ')})`;

export function linearBytes(colour: string): [number, number, number] {
  const { r, g, b } = new Color(colour);
  return [Math.round(255 * r), Math.round(255 * g), Math.round(255 * b)];
}

export interface Look {
  background: string;
  ground: string;
  grid: string;
  overlay: { [name: string]: string };
  otherOverlay: string;
  wire: string;
  mark: string;
}

export const looks: { [theme in Theme]: Look } = {
  light: {
    background: '#f4f5f7', ground: '#eceef1', grid: '#b9c0ca', wire: '#20242b', mark: '#d6002a', otherOverlay: '#5a3fc0',
    overlay: { contacts: '#c2185b', forces: '#1257b8', smallest_gap: '#d6002a', joints: '#6a3fc0', handles: '#0b6e4f', medial: '#0f7a8a' },
  },
  dark: {
    background: '#16191e', ground: '#1d2127', grid: '#3c444f', wire: '#e8ecf1', mark: '#ff4d6d', otherOverlay: '#b9a6ff',
    overlay: { contacts: '#ff7ab6', forces: '#7db4ff', smallest_gap: '#ff4d6d', joints: '#b9a6ff', handles: '#4fd8a5', medial: '#5fd7e6' },
  },
};

// "1.25 kPa": four figures with a prefix.
export function formatValue(value: number, unit: string): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return `0 ${unit}`.trim();
  const prefixes: [number, string][] = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']];
  const size = Math.abs(value);
  const [scale, prefix] = unit ? (prefixes.find(([s]) => size >= s) ?? [1e-9, 'n']) : [1, ''];
  return `${Number((value / scale).toPrecision(3))} ${prefix}${unit}`.trim();
}
