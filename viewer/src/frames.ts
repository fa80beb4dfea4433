// What passes between the worker, which loads and decodes, and the page.
import type { BodyInfo, SceneView } from './record';

export interface Prepared {
  bodies: BodyInfo[];
  pointCount: number;
  runPoints: Uint32Array;
  pointOf: Uint32Array; // of each vertex, its point
  surfaceVertices: number;
  corners: Uint32Array; // surface, by vertex
  lines: Uint32Array; // wires, by vertex
  dots: Uint32Array; // loose points, by vertex
  partOf: Uint16Array; // of each vertex, which of its body's separate pieces it belongs to
  view: SceneView;
  origin: [number, number, number]; // positions are relative to it [m]
}

export interface ScalarData {
  min: number;
  max: number;
  values: Uint16Array; // per point
}

export interface OverlayData {
  points: Float32Array;
  radii: Float32Array;
  segments: Uint32Array;
  slabs: Uint32Array;
  values: Float32Array;
  bodies: Uint32Array; // two per segment
}

export interface FrameData {
  index: number;
  step: number;
  time: number;
  box: number[]; // in the world [m]
  positions: Float32Array; // per vertex
  normals: Float32Array;
  scalars: { [name: string]: ScalarData };
  overlays: { [name: string]: OverlayData };
  bytes: number;
}

export type WorkerRequest =
  | { type: 'prepare'; id: number }
  | { type: 'frame'; id: number; index: number }
  | { type: 'decode'; id: number; bytes: ArrayBuffer } // a frame that came by itself
  | { type: 'forget' };

export type WorkerAnswer =
  | { id: number; prepared: Prepared; frame: FrameData }
  | { id: number; frame: FrameData }
  | { id: number; error: string; isDamage: boolean };
