// Points the camera at the bodies: from where they are seen, so that they fill the picture, with the obstacles that
// hide them drawn open, and with ground where there is ground.
import * as THREE from 'three';
import type { Bodies, Opening } from './bodies';
import {
  corners, dropStrays, findGround, fitView, gatherBodies, measureFill, sides, type BodyPoints, type Fit, type Ground,
} from './framing';
import type { FrameData, Prepared } from './frames';
import type { SectionPlane } from './record';
import type { CameraPose, Stage } from './stage';
import type { Seen } from './visibility';

const kHides = 0.04; // an obstacle that covers more of the subject than this is cut open
const kStillHides = 0.15; // one that covers more than this though cut is drawn faintly
const kEarlyFrames = 0.4; // of a span, whose places count only if they do not make the rest much smaller
const kMuchSmaller = 1.4;

export class Director {
  section: SectionPlane | null = null;
  private ground: Ground | null = null;
  private subjects: BodyPoints[] = [];

  constructor(private stage: Stage, private prepared: Prepared, private bodies: Bodies) {}

  // Frames: those that the picture is to suit; they are shown one after the other. from: a side by name, a direction, a
  // pose, or null: a corner from which the bodies are seen.
  aim(from: string | THREE.Vector3 | CameraPose | null, frames: FrameData[]) {
    const all = gatherBodies(this.prepared, this.bodies.isVisible, frames);
    if (all.length === 0) return this.stage.setScope(new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1)), null);
    this.ground = findGround(this.prepared, all);
    const near = dropStrays(all).filter(({ body }) => body !== this.ground?.body);
    this.subjects = near.filter((body) => body.isSubject);
    if (from && typeof from === 'object' && 'target' in from) {
      this.stage.setScope(this.subjects.reduce((sum, body) => sum.union(body.box), new THREE.Box3()), this.ground?.level ?? null);
      this.stage.setPose(from, this.prepared.origin);
      return this.open(frames);
    }
    const late = this.chooseLate(near, frames);
    if (from) return void this.take(typeof from === 'string' ? new THREE.Vector3(...(sides[from] ?? sides.corner!)) : from, late, frames);
    // Another corner if more bodies are seen from there, and clearly so.
    const tries = corners.map((corner) => ({ corner: new THREE.Vector3(...corner), seen: 0 }));
    let best = tries[0]!;
    for (const each of tries) {
      each.seen = this.take(each.corner, late, frames.slice(-1)).bodies.size;
      if (each.seen > Math.max(best.seen + 0.5, 1.15 * best.seen)) best = each;
    }
    this.take(best.corner, late, frames);
  }

  // Of a span, the late frames alone if the early ones would make the bodies much smaller in the picture.
  private chooseLate(near: BodyPoints[], frames: FrameData[]): BodyPoints[] {
    if (frames.length < 3) return near;
    const late = dropStrays(gatherBodies(this.prepared, this.bodies.isVisible, frames.slice(Math.floor(kEarlyFrames * frames.length))))
      .filter(({ body }) => body !== this.ground?.body);
    const size = (bodies: BodyPoints[]) =>
      bodies.filter((body) => body.isSubject).reduce((sum, body) => sum.union(body.box), new THREE.Box3()).getSize(new THREE.Vector3()).length();
    return size(near) > kMuchSmaller * size(late) ? late : near;
  }

  private take(direction: THREE.Vector3, near: BodyPoints[], frames: FrameData[]): Seen {
    const fit: Fit = fitView(near, direction, this.stage.camera.aspect);
    this.stage.setScope(fit.box, this.ground?.level ?? null);
    this.stage.place(fit.position, fit.target);
    return this.open(frames);
  }

  // Cuts open what hides the subject from the camera in one of the frames; answers what is seen in the last one.
  open(frames: FrameData[]): Seen {
    const { camera, renderer } = this.stage;
    const openings = new Map<number, Opening>();
    if (this.ground?.body != null) openings.set(this.ground.body, 'left_out');
    this.bodies.setScale(this.stage.scopeRadius);
    const cut = this.findCut(), section = this.findSection();
    this.bodies.setPlanes(section, cut);
    const isObstacle = (body: number) => this.prepared.bodies[body]!.kind === 'obstacle';
    const look = () => this.bodies.sight.look(renderer, camera, isObstacle, cut, section);
    let seen: Seen | undefined;
    for (const frame of frames) {
      this.bodies.show(frame);
      for (const [most, how] of [[kHides, 'cut'], [kStillHides, 'faint']] as const) {
        this.bodies.setOpenings(openings);
        seen = look();
        for (const [body, pixels] of seen.hiders) if (pixels > most * seen.pixels) openings.set(body, how);
      }
    }
    this.bodies.setOpenings(openings);
    this.stage.invalidate();
    return look();
  }

  // Which share of the picture the subject takes, and how much of it is seen, in the frame shown.
  measure(frame: FrameData): { fill: number; visible: number } {
    const { camera, renderer } = this.stage;
    const subjects = gatherBodies(this.prepared, this.bodies.isVisible, [frame]).filter((body) => body.isSubject);
    const isObstacle = (body: number) => this.prepared.bodies[body]!.kind === 'obstacle';
    const seen = this.bodies.sight.look(renderer, camera, isObstacle, this.findCut(), this.findSection());
    return { fill: measureFill(subjects.map((body) => body.points), camera), visible: seen.pixels > 0 ? seen.visible : 0 };
  }

  // An upright plane through the middle of the subject; it keeps what is behind.
  private findCut(): THREE.Plane {
    const centre = this.subjects.reduce((sum, body) => sum.union(body.box), new THREE.Box3()).getCenter(new THREE.Vector3());
    const towards = this.stage.camera.position.clone().sub(centre).normalize();
    if (Math.abs(towards.y) < 0.9) towards.setY(0).normalize();
    return new THREE.Plane(towards.clone().negate(), towards.dot(centre));
  }

  // The plane that cuts everything, relative to the origin; it keeps the side to which its normal points.
  private findSection(): THREE.Plane | null {
    if (!this.section) return null;
    const normal = new THREE.Vector3(...this.section.normal);
    const offset = this.section.offset - normal.dot(new THREE.Vector3(...this.prepared.origin));
    const isBehind = this.section.faces_camera && normal.dot(this.stage.camera.position) < offset;
    return isBehind ? new THREE.Plane(normal, -offset) : new THREE.Plane(normal.negate(), offset);
  }
}
