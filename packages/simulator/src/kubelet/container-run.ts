/** What becomes of one container: the states that a kubelet would report. */
import { createHash } from 'node:crypto';
import { formatTime, quote } from '@flotilla/kube';
import type { ContainerExit } from '../behaviour/container-command.ts';
import type { Container, ContainerState, ContainerStatus } from '../kinds.ts';
import { fullReference, repositoryOf } from './image-reference.ts';

/** All that decides about a container. Times are in milliseconds since the epoch. */
export interface ContainerPlan {
  readonly container: Readonly<Container>;
  readonly outcome: 'ready' | 'never' | 'image-error';
  /** Undefined if it runs until the pod ends. */
  readonly exit: ContainerExit | undefined;
  readonly restarts: RestartPolicy;
  readonly before: Readonly<ContainerStatus> | undefined;
  /** What it waits for before it can start: `ContainerCreating`. Undefined if it can start. */
  readonly waitsFor: string | undefined;
  /** `web-x7k2p_default(UID)`, as in the kubelet's messages. */
  readonly podText: string;
  readonly uid: string;
  readonly pullMs: number;
  /** When its first run starts. */
  readonly startsAt: number;
  readonly readinessMs: number;
  readonly now: Date;
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

export interface ContainerEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface ContainerResult {
  readonly status: ContainerStatus;
  readonly events: readonly ContainerEvent[];
  /** When its status changes by itself, in milliseconds. */
  readonly waitMs?: number | undefined;
}

/** The kubelet's back-off, for restarts and for pulls. */
const firstBackOffMs = 10_000;
const maxBackOffMs = 300_000;

export function nextContainer(plan: ContainerPlan): ContainerResult {
  const { before, outcome, exit, waitsFor, restarts } = plan;
  const ended = before?.state?.terminated;
  if (ended !== undefined && !isRestarted(restarts, ended.exitCode ?? 0)) return { status: before ?? {}, events: [] };
  if (waitsFor !== undefined && !hasRun(before)) return waiting(plan, { reason: waitsFor });
  if (outcome === 'image-error' && !hasRun(before)) return withoutImage(plan);
  return exit === undefined ? lasting(plan) : ending(plan, exit);
}

export function isRestarted(policy: RestartPolicy, exitCode: number): boolean {
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

function hasRun(before: Readonly<ContainerStatus> | undefined): boolean {
  const { state, lastState } = before ?? {};
  return state?.running !== undefined || state?.terminated !== undefined || lastState?.terminated !== undefined;
}

/** Runs until the pod ends. */
function lasting(plan: ContainerPlan): ContainerResult {
  const run = new Run(plan);
  if (run.state.running === undefined) run.begin();
  return running(plan, run, Infinity);
}

/** The status of a container that runs, and that will end then. */
function running({ before, outcome, now, readinessMs }: ContainerPlan, run: Run, untilEnd: number): ContainerResult {
  const untilReady = run.startedAt + readinessMs - now.getTime();
  const wasReady = before?.ready === true && before.state?.running !== undefined;
  // What runs does not need its image any more.
  const isReady = outcome === 'image-error' ? wasReady : outcome === 'ready' && (wasReady || !(untilReady > 0));
  const waitMs = outcome === 'ready' && !isReady ? Math.min(untilReady, untilEnd) : untilEnd;
  return run.result(isReady, waitMs === Infinity ? undefined : waitMs);
}

/** Runs for a while, ends, and starts again with a back-off, if the pod's policy says so. */
function ending(plan: ContainerPlan, { code, afterMs }: ContainerExit): ContainerResult {
  const { now, restarts } = plan;
  const run = new Run(plan);
  for (;;) {
    const { terminated } = run.state;
    if (run.state.running !== undefined) {
      const untilEnd = run.startedAt + afterMs - now.getTime();
      if (untilEnd > 0) return running(plan, run, untilEnd);
      run.end(code);
    } else if (terminated !== undefined) {
      if (!isRestarted(restarts, code)) return run.result(false);
      // The kubelet restarts a container once without delay.
      if (run.isFirst) run.begin();
      else run.backOff();
    } else if (run.lastState.terminated === undefined) {
      run.begin();
    } else {
      const endedAt = Math.min(Date.parse(run.lastState.terminated.finishedAt ?? '') || 0, now.getTime());
      const untilRestart = endedAt + backOffMs(run.restartCount) - now.getTime();
      if (untilRestart > 0) return run.result(false, untilRestart);
      run.begin();
    }
  }
}

function backOffMs(restarts: number): number {
  return Math.min(maxBackOffMs, firstBackOffMs * 2 ** Math.min(restarts - 1, 10));
}

/** The course of a container, from its last status on. */
class Run {
  readonly #plan: ContainerPlan;
  readonly #events: ContainerEvent[] = [];
  readonly #time: string;
  state: ContainerState;
  lastState: ContainerState;
  restartCount: number;

  constructor(plan: ContainerPlan) {
    this.#plan = plan;
    this.#time = formatTime(plan.now);
    const { state = {}, lastState = {}, restartCount = 0 } = plan.before ?? {};
    this.state = state;
    this.lastState = lastState;
    this.restartCount = restartCount;
  }

  get isFirst(): boolean {
    return this.restartCount === 0;
  }

  /**
   * When it started, in milliseconds; the status has seconds. Never in the future: the time of the machine may have been corrected
   * since.
   */
  get startedAt(): number {
    const { now, startsAt } = this.#plan;
    const started = Date.parse(this.state.running?.startedAt ?? '') || 0;
    return Math.min(this.isFirst ? Math.max(started, startsAt) : started, now.getTime());
  }

  begin(): void {
    const { terminated } = this.state;
    if (terminated !== undefined) this.lastState = { terminated };
    if (this.lastState.terminated !== undefined) this.restartCount++;
    this.state = { running: { startedAt: this.#time } };
    const { container, pullMs } = this.#plan;
    const image = quote(container.image ?? '');
    const took = `${pullMs / 1000}s`;
    const pulled =
      pullMs > 0 && this.isFirst
        ? `Successfully pulled image ${image} in ${took} (${took} including waiting). Image size: 0 bytes.`
        : `Container image ${image} already present on machine and can be accessed by the pod`;
    this.#record('Normal', 'Pulled', pulled);
    this.#record('Normal', 'Created', 'Container created');
    this.#record('Normal', 'Started', 'Container started');
  }

  end(exitCode: number): void {
    const { startedAt = this.#time } = this.state.running ?? {};
    const reason = exitCode === 0 ? 'Completed' : 'Error';
    const { containerID } = this.#identity();
    this.state = { terminated: { exitCode, reason, startedAt, finishedAt: this.#time, containerID } };
  }

  backOff(): void {
    const { container, podText } = this.#plan;
    const { terminated } = this.state;
    if (terminated !== undefined) this.lastState = { terminated };
    const delay = durationText(backOffMs(this.restartCount));
    const message = `back-off ${delay} restarting failed container=${container.name} pod=${podText}`;
    this.state = { waiting: { reason: 'CrashLoopBackOff', message } };
    const text = `Back-off restarting failed container ${container.name} in pod ${podText}`;
    this.#record('Warning', 'BackOff', text);
  }

  result(isReady: boolean, waitMs?: number): ContainerResult {
    const { container } = this.#plan;
    const { name = '', image = '', resources } = container;
    const status: ContainerStatus = {
      name,
      state: this.state,
      lastState: this.lastState,
      ready: isReady,
      restartCount: this.restartCount,
      image,
      ...this.#identity(),
      started: this.state.running !== undefined,
      ...(resources?.requests && { allocatedResources: resources.requests }),
      resources: resources ?? {},
    };
    return { status, events: this.#events, waitMs };
  }

  #identity(): { readonly imageID: string; readonly containerID: string } {
    const { container, uid } = this.#plan;
    const { name = '', image = '' } = container;
    return {
      imageID: `${repositoryOf(image)}@sha256:${sha256(image)}`,
      containerID: `containerd://${sha256(`${uid}/${name}/${this.restartCount}`)}`,
    };
  }

  #record(type: ContainerEvent['type'], reason: string, message: string): void {
    this.#events.push({ type, reason, message });
  }
}

/** Further pulls would only repeat the two states of a failed pull, so they are written once. */
function withoutImage(plan: ContainerPlan): ContainerResult {
  const { container, before, now, startsAt } = plan;
  const image = quote(container.image ?? '');
  const reference = fullReference(container.image ?? '');
  const error =
    `rpc error: code = NotFound desc = failed to pull and unpack image ${quote(reference)}: ` +
    `failed to resolve reference ${quote(reference)}: ${reference}: not found`;
  const untilBackOff = startsAt + firstBackOffMs - now.getTime();
  const reason = before?.state?.waiting?.reason;
  const backOff = { reason: 'ImagePullBackOff', message: `Back-off pulling image ${image}: ErrImagePull: ${error}` };
  if (reason === 'ImagePullBackOff') return waiting(plan, backOff);
  if (reason === 'ErrImagePull' && untilBackOff <= 0) {
    return waiting(plan, backOff, [
      { type: 'Normal', reason: 'BackOff', message: `Back-off pulling image ${image}` },
      { type: 'Warning', reason: 'Failed', message: 'Error: ImagePullBackOff' },
    ]);
  }
  const failure = { reason: 'ErrImagePull', message: error };
  if (reason === 'ErrImagePull') return { ...waiting(plan, failure), waitMs: untilBackOff };
  const failed = waiting(plan, failure, [
    { type: 'Normal', reason: 'Pulling', message: `Pulling image ${image}` },
    { type: 'Warning', reason: 'Failed', message: `Failed to pull image ${image}: ${error}` },
    { type: 'Warning', reason: 'Failed', message: 'Error: ErrImagePull' },
  ]);
  return { ...failed, waitMs: Math.max(1, untilBackOff) };
}

function waiting(
  { container, before }: ContainerPlan,
  state: NonNullable<ContainerState['waiting']>,
  events: readonly ContainerEvent[] = [],
): ContainerResult {
  const { name = '', image = '' } = container;
  const { restartCount = 0, lastState = {} } = before ?? {};
  const status: ContainerStatus = {
    name,
    state: { waiting: state },
    lastState,
    ready: false,
    restartCount,
    image,
    imageID: '',
    started: false,
  };
  return { status, events };
}

/** Go's form of a duration in whole seconds below an hour: `1m20s`. */
function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
