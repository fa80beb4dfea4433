// Talks to the server: the run's description, its growing lists, live controls; and notices when it is gone.
import type { PlayFacts } from './play_channel';

export interface Status {
  generation: number;
  frames: number;
  metrics_bytes: number;
  state: 'running' | 'paused' | 'stopping' | 'ended' | 'elsewhere' | 'still';
}

export interface RunInfo {
  name: string;
  path: string;
  steps: number | null;
  time_step: number | null;
  live: boolean;
  has_marks: boolean;
  play?: PlayFacts; // of a scene that plays
  status: Status;
}

export interface FrameList {
  generation: number;
  from: number;
  steps: number[];
  times: number[];
  box: number[];
  ranges: { [name: string]: [number, number] };
}

export interface Mark {
  step: number | null;
  text: string;
  elements: number[][];
}

async function get(path: string): Promise<Response> {
  const response = await fetch(path);
  if (!response.ok) throw new Error((await response.text()).trim() || `${path}: ${response.status}`);
  return response;
}

export const loadRun = async () => (await get('/api/run')).json() as Promise<RunInfo>;
export const loadFrames = async (from: number) => (await get(`/api/frames?from=${from}`)).json() as Promise<FrameList>;
export const loadMetrics = async (from: number) => (await get(`/api/metrics?from=${from}`)).text();
export const loadResults = async (table: string, from: number) => (await get(`/api/${table}?from=${from}`)).text();
export const loadMarks = async () => (await get('/api/marks')).json() as Promise<Mark[]>;

export async function control(action: 'pause' | 'step' | 'continue' | 'stop') {
  const response = await fetch('/api/control', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ action }),
  });
  if (!response.ok) throw new Error((await response.text()).trim());
}

// Calls back with every status, and with whether the server can be reached; connects again for ever.
export function follow(onStatus: (status: Status) => void, onReachable: (reachable: boolean) => void) {
  let source: EventSource;
  let timer = 0;
  const connect = () => {
    source = new EventSource('/api/events');
    source.onopen = () => onReachable(true);
    source.onmessage = (event) => onStatus(JSON.parse(event.data) as Status);
    source.onerror = () => {
      onReachable(false);
      source.close();
      clearTimeout(timer);
      timer = window.setTimeout(connect, 1000);
    };
  };
  connect();
}
