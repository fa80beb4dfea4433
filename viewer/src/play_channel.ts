// What passes between the page and a scene that plays: messages one way, frames the other (docs/play.md). Moves that wait
// are replaced by newer ones, and the newest frame alone is asked for, so that nothing piles up on either side.

export interface PlayFacts {
  bodies: { can_move: boolean; can_strain: boolean; first_point: number }[];
  gravity: [number, number, number];
  friction: number;
}

export interface Held {
  body: string;
  at: [number, number, number];
  target: [number, number, number];
  force: number; // [N]
  most: number;
}

export interface PlayStatus {
  number: number;
  step?: number; // what follows is missing before the first step
  time?: number;
  milliseconds?: number;
  rate?: number;
  speed?: number;
  contacts?: number;
  gap?: number | null;
  iterations?: number;
  stages?: { [name: string]: number };
  held?: Held[];
  gravity?: [number, number, number];
  friction?: number;
  stiffness?: { [body: string]: number };
  recording?: string; // the folder
}

export interface Message {
  do: 'grab' | 'move' | 'release' | 'set' | 'speed' | 'restart';
  body?: string;
  points?: number[];
  weights?: number[];
  target?: number[];
  strength?: number;
  gravity?: number[];
  friction?: number;
  stiffness?: number;
  speed?: number;
}

const kAtOnce = 16; // messages in a request
const kPatience = 250; // between two questions if nothing came [ms]

function makeName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const sleep = (time: number) => new Promise((done) => setTimeout(done, time));

export class PlayChannel {
  readonly page = makeName();
  private waiting: Message[] = [];
  private isSending = false;

  // Called with a message that was refused, and why.
  onProblem: (message: Message, problem: string) => void = () => undefined;

  send(message: Message) {
    const last = this.waiting[this.waiting.length - 1];
    const isNewer = last && last.do === message.do && last.body === message.body && (message.do === 'move' || message.do === 'speed');
    if (isNewer) this.waiting[this.waiting.length - 1] = message;
    else this.waiting.push(message);
    void this.flush();
  }

  private async flush() {
    if (this.isSending) return;
    this.isSending = true;
    try {
      while (this.waiting.length > 0) await this.post(this.waiting.splice(0, kAtOnce));
    } finally {
      this.isSending = false;
    }
  }

  private async post(messages: Message[]) {
    try {
      const response = await fetch('/api/play', {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ page: this.page, messages }),
      });
      const answer = await response.json() as { problem?: string; problems?: { message: number; problem: string }[] };
      for (const { message, problem } of answer.problems ?? []) this.onProblem(messages[message]!, problem);
      if (answer.problem) for (const message of messages) this.onProblem(message, answer.problem);
    } catch {
      for (const message of messages) this.onProblem(message, 'the program cannot be reached');
    }
  }

  // The page goes away: what it holds is let go at once. If this does not arrive, the program notices by itself.
  leave(messages: Message[]) {
    const body = JSON.stringify({ page: this.page, messages });
    navigator.sendBeacon('/api/play', new Blob([body], { type: 'application/json' }));
  }

  // Calls back with every new frame, one after the other, for ever.
  async follow(take: (status: PlayStatus, record: ArrayBuffer) => Promise<void>) {
    for (let number = 0; ; ) {
      const asked = performance.now();
      try {
        const response = await fetch(`/api/next/${number}?page=${this.page}`);
        if (response.status === 200) {
          const bytes = await response.arrayBuffer(), size = new DataView(bytes).getUint32(0, true);
          const status = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, size))) as PlayStatus;
          number = status.number;
          await take(status, bytes.slice(4 + size));
          continue;
        }
      } catch {
        number = 0; // another program may answer next
      }
      await sleep(Math.max(0, kPatience - (performance.now() - asked)));
    }
  }
}
