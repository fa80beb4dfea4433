// The strip of charts: one small chart per quantity over all steps, a line at the playhead, a click to go there.
import { formatValue } from './colours';
import type { Metrics, Series } from './metrics';

const kLines = ['--chart-0', '--chart-1', '--chart-2', '--chart-3'];

interface Drawn {
  series: Series;
  canvas: HTMLCanvasElement;
  label: HTMLElement;
}

export class Charts {
  private charts: Drawn[] = [];
  private lastStep = 1;
  private step = 0;

  constructor(private strip: HTMLElement, private metrics: Metrics, private onPick: (step: number) => void) {
    new ResizeObserver(() => this.draw()).observe(strip);
  }

  // After new lines; plannedSteps: null if unknown.
  update(plannedSteps: number | null) {
    const series = this.metrics.series();
    const last = this.metrics.steps[this.metrics.steps.length - 1] ?? 0;
    this.lastStep = Math.max(last, plannedSteps ?? 0, 1);
    if (series.map((s) => s.name).join() !== this.charts.map((c) => c.series.name).join()) {
      this.charts = series.map((s) => this.makeChart(s));
      this.strip.replaceChildren(...this.charts.map((chart) => chart.canvas.parentElement!));
      this.strip.hidden = series.length === 0;
    }
    series.forEach((s, i) => (this.charts[i]!.series = s));
    this.draw();
  }

  private makeChart(series: Series): Drawn {
    const box = document.createElement('figure');
    const label = document.createElement('figcaption');
    const canvas = document.createElement('canvas');
    box.append(label, canvas);
    const pick = (event: PointerEvent) => {
      const place = canvas.getBoundingClientRect();
      this.onPick(Math.round(((event.clientX - place.left) / place.width) * this.lastStep));
    };
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      pick(event);
    });
    canvas.addEventListener('pointermove', (event) => event.buttons & 1 && pick(event));
    return { series, canvas, label };
  }

  setStep(step: number) {
    this.step = step;
    this.draw();
  }

  private draw() {
    for (const chart of this.charts) this.drawChart(chart);
  }

  // The values of all lines on one scale; a logarithmic one leaves out what is not positive.
  private findRange(series: Series): [number, number] {
    let low = Infinity, high = -Infinity;
    for (const line of series.lines) {
      for (const value of line.values) {
        if (!Number.isFinite(value) || (series.isLogarithmic && value <= 0)) continue;
        const v = series.isLogarithmic ? Math.log10(value) : value;
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    if (!series.isLogarithmic) low = Math.min(low, 0);
    if (!(high > low)) high = low + 1;
    return [low, high];
  }

  private drawChart({ series, canvas, label }: Drawn) {
    const ratio = window.devicePixelRatio, width = canvas.clientWidth, height = canvas.clientHeight;
    if (width === 0 || height === 0) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext('2d')!;
    context.scale(ratio, ratio);
    const style = getComputedStyle(this.strip);
    const [low, high] = this.findRange(series);
    const x = (step: number) => (step / this.lastStep) * width;
    const y = (v: number) => height - 3 - ((v - low) / (high - low)) * (height - 6);
    series.lines.forEach((line, k) => {
      context.strokeStyle = style.getPropertyValue(kLines[k % kLines.length]!);
      context.lineWidth = 1.4;
      context.beginPath();
      let isDown = false;
      // Where there are more steps than pixels, some are enough.
      const stride = Math.max(1, Math.floor(line.values.length / (2 * width)));
      for (let i = 0; i < line.values.length; i += stride) {
        const value = line.values[i]!, v = series.isLogarithmic ? Math.log10(value) : value;
        if (!Number.isFinite(v)) {
          isDown = false;
          continue;
        }
        if (isDown) context.lineTo(x(this.metrics.steps[i]!), y(v));
        else context.moveTo(x(this.metrics.steps[i]!), y(v));
        isDown = true;
      }
      context.stroke();
    });
    context.fillStyle = style.getPropertyValue('--accent');
    context.fillRect(x(this.step) - 0.75, 0, 1.5, height);
    this.writeLabel(series, canvas, label, style);
  }

  private writeLabel(series: Series, canvas: HTMLCanvasElement, label: HTMLElement, style: CSSStyleDeclaration) {
    const row = this.metrics.rowAt(this.step);
    const name = document.createElement('b');
    name.textContent = series.name;
    const parts = series.lines.map((line, k) => {
      const part = document.createElement('span');
      const value = row < 0 ? '–' : formatValue(line.values[row]!, series.unit);
      part.textContent = line.label ? `${line.label} ${value}` : value;
      if (series.lines.length > 1) part.style.color = style.getPropertyValue(kLines[k % kLines.length]!);
      return part;
    });
    label.replaceChildren(name, ...parts);
    label.title = label.textContent ?? '';
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', `${series.name} by step: ${parts.map((part) => part.textContent).join(', ')}`);
  }
}
