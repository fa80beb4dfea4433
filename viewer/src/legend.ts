// The colour bar in pictures: which field, its unit, and the values at the ends.
import { formatValue, kColourNames, kUnits, looks, scaleStops, type ColourMode, type Theme } from './colours';

export function drawLegend(
  context: CanvasRenderingContext2D, mode: ColourMode, range: { min: number; max: number }, theme: Theme,
) {
  const { width, height } = context.canvas;
  const size = Math.max(Math.round(Math.min(width, height) / 32), 9); // of the letters [pixels]
  const length = Math.round(Math.min(0.3 * width, 16 * size)), left = Math.round(1.2 * size), top = height - Math.round(2.9 * size);
  const gradient = context.createLinearGradient(left, 0, left + length, 0);
  scaleStops.forEach((colour, k) => gradient.addColorStop(k / (scaleStops.length - 1), colour));
  context.fillStyle = gradient;
  context.fillRect(left, top, length, Math.round(0.8 * size));
  const unit = kUnits[mode] ?? '';
  context.font = `${size}px "DejaVu Sans", system-ui, sans-serif`;
  context.fillStyle = theme === 'light' ? '#1c2128' : '#e8ecf1';
  context.textBaseline = 'alphabetic';
  context.textAlign = 'left';
  context.fillText(`${kColourNames[mode] ?? mode}${unit ? ` [${unit}]` : ''}`, left, top - Math.round(0.5 * size));
  context.textBaseline = 'top';
  context.fillText(formatValue(range.min, unit), left, top + size);
  context.textAlign = 'right';
  context.fillText(formatValue(range.max, unit), left + length, top + size);
}

// The picture of a canvas, with the legend where colours are values, as a PNG in base64.
export function finishPicture(
  canvas: HTMLCanvasElement, mode: ColourMode, range: { min: number; max: number }, theme: Theme,
): string {
  const encode = (picture: HTMLCanvasElement) => picture.toDataURL('image/png').split(',')[1]!;
  if (mode === 'body' || mode === 'kind') return encode(canvas);
  const result = document.createElement('canvas');
  [result.width, result.height] = [canvas.width, canvas.height];
  const context = result.getContext('2d')!;
  context.fillStyle = looks[theme].background;
  context.fillRect(0, 0, result.width, result.height);
  context.drawImage(canvas, 0, 0);
  drawLegend(context, mode, range, theme);
  return encode(result);
}
