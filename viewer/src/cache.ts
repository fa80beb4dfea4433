// Decoded frames, loaded as needed, a bounded amount of them: the least recently shown go first.
import type { FrameData, Prepared, WorkerAnswer, WorkerRequest } from './frames';

const kBudget = 384 * 1024 * 1024; // [bytes]
const kAtOnce = 3; // requests on the way

interface Wish {
  index: number;
  resolve: (frame: FrameData) => void;
  reject: (error: FrameError) => void;
  promise: Promise<FrameData>;
}

export class FrameError extends Error {
  constructor(message: string, readonly isDamage: boolean) {
    super(message);
  }
}

export class FrameCache {
  private worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  private frames = new Map<number, FrameData>(); // in order of use
  private waiting: Wish[] = [];
  private running = new Map<number, Wish>(); // by frame
  private answers = new Map<number, (answer: WorkerAnswer) => void>();
  private lastId = 0;
  bytes = 0;

  constructor() {
    this.worker.onmessage = (event: MessageEvent<WorkerAnswer>) => {
      const take = this.answers.get(event.data.id);
      this.answers.delete(event.data.id);
      take?.(event.data);
    };
  }

  private ask(request: WorkerRequest & { id: number }, given: Transferable[] = []): Promise<WorkerAnswer> {
    return new Promise((resolve) => {
      this.answers.set(request.id, resolve);
      this.worker.postMessage(request, given);
    });
  }

  // Forgets everything and loads the topology with the first frame.
  async prepare(): Promise<Prepared> {
    this.frames.clear();
    this.bytes = 0;
    const answer = await this.ask({ type: 'prepare', id: ++this.lastId });
    if ('error' in answer) throw new FrameError(answer.error, answer.isDamage);
    this.keep(answer.frame);
    return (answer as { prepared: Prepared }).prepared;
  }

  // A frame that came by itself; it is not kept.
  async decode(bytes: ArrayBuffer): Promise<FrameData> {
    const answer = await this.ask({ type: 'decode', id: ++this.lastId, bytes }, [bytes]);
    if ('error' in answer) throw new FrameError(answer.error, answer.isDamage);
    return answer.frame;
  }

  has(index: number): boolean {
    return this.frames.has(index);
  }

  get size(): number {
    return this.frames.size;
  }

  // The frame, at once if it is here. What is asked for last is loaded first.
  get(index: number): Promise<FrameData> {
    const known = this.frames.get(index);
    if (known) {
      this.frames.delete(index);
      this.frames.set(index, known);
      return Promise.resolve(known);
    }
    const same = this.running.get(index) ?? this.waiting.find((wish) => wish.index === index);
    if (same) return same.promise;
    let wish!: Wish;
    const promise = new Promise<FrameData>((resolve, reject) => {
      wish = { index, resolve, reject } as Wish;
    });
    wish.promise = promise;
    this.waiting.push(wish);
    while (this.waiting.length > 16) this.waiting.shift()!.reject(new FrameError('passed over', false));
    this.pump();
    return promise;
  }

  // Loads ahead, without hurry.
  prefetch(indices: number[]) {
    for (const index of indices) {
      if (this.running.size >= kAtOnce - 1) return;
      if (!this.frames.has(index) && !this.running.has(index)) this.get(index).catch(() => undefined);
    }
  }

  private pump() {
    while (this.running.size < kAtOnce && this.waiting.length > 0) {
      const wish = this.waiting.pop()!;
      this.running.set(wish.index, wish);
      void this.load(wish);
    }
  }

  private async load(wish: Wish) {
    const answer = await this.ask({ type: 'frame', id: ++this.lastId, index: wish.index });
    this.running.delete(wish.index);
    if ('error' in answer) {
      wish.reject(new FrameError(answer.error, answer.isDamage));
    } else {
      this.keep(answer.frame);
      wish.resolve(answer.frame);
    }
    this.pump();
  }

  private keep(frame: FrameData) {
    this.frames.set(frame.index, frame);
    this.bytes += frame.bytes;
    for (const [index, old] of this.frames) {
      if (this.bytes <= kBudget || this.frames.size <= 2) break;
      this.frames.delete(index);
      this.bytes -= old.bytes;
    }
  }
}
