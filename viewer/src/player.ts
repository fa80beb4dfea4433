// Time goes on: which frame is due, at which speed, and whether to start again at the end.
import type { Viewer } from './viewer';

export const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

export class Player {
  isPlaying = false;
  speed = 1;
  loops = true;
  follows = false; // shows the newest frame as it comes
  private time = 0; // of the run [s]
  private last = 0; // clock [ms]

  constructor(private viewer: Viewer) {}

  play(on: boolean) {
    if (on && this.viewer.wanted >= this.viewer.frameCount - 1) void this.seek(0);
    this.isPlaying = on && this.viewer.frameCount > 1;
    if (on) this.follows = false;
    this.time = this.viewer.times[this.viewer.wanted] ?? 0;
    this.last = performance.now();
  }

  // A frame by hand.
  seek(index: number): Promise<boolean> {
    const shown = this.viewer.show(index);
    this.time = this.viewer.times[this.viewer.wanted] ?? 0;
    return shown;
  }

  // Once per picture.
  tick(now: number) {
    const { viewer } = this, end = viewer.times[viewer.frameCount - 1] ?? 0;
    if (this.follows && viewer.wanted !== viewer.frameCount - 1) void viewer.show(viewer.frameCount - 1);
    if (!this.isPlaying) return;
    const passed = Math.min((now - this.last) / 1000, 0.25);
    this.last = now;
    this.time += passed * this.speed;
    if (this.time > end + 0.5 * this.speed) {
      if (this.loops) this.time = viewer.times[0] ?? 0;
      else this.isPlaying = false;
    }
    const index = viewer.frameAtTime(Math.min(this.time, end));
    if (index !== viewer.wanted) void viewer.show(index);
    const ahead = [1, 2, 3, 4].map((k) => viewer.frameAtTime(this.time + k * 0.02 * this.speed) + 1);
    viewer.cache.prefetch([...new Set(ahead)].filter((i) => i < viewer.frameCount));
    if (!this.isPlaying) viewer.onChange();
  }
}
