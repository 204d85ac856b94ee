/** How the workloads of a simulated cluster behave. */

/**
 * What becomes of a container. `ready` also means that a container of a Job ends well, and that one with a plain command such as `sleep 5`
 * or `exit 1` does what it says. `never` runs, but is not ready. `crash` and `fail`
 * end with the exit codes 139 and 1, `succeed` with 0; the pod's restart policy decides what follows. The image of `image-error` cannot be
 * pulled.
 */
export type Outcome = 'ready' | 'never' | 'crash' | 'fail' | 'succeed' | 'image-error';

export const outcomes: readonly Outcome[] = ['ready', 'never', 'crash', 'fail', 'succeed', 'image-error'];

/** A pod with this label has that outcome, whatever the rules say. */
export const outcomeLabel = 'simulator.flotilla.dev/outcome';

/** Applies where all of its conditions hold. */
export interface OutcomeRule {
  /**
   * Patterns of images; `*` stands for any characters. Without a slash, a pattern is compared with the last part of an image. Without a tag,
   * it matches every tag. Default: every image.
   */
  readonly images?: readonly string[] | undefined;
  /** Labels that the pod must have. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The share of pods, in [0, 1]; the seed chooses them. Default: 1. */
  readonly share?: number | undefined;
  readonly outcome: Outcome;
}

/** In milliseconds, each from the end of the one before. */
export interface PodDelays {
  /** From the pod's creation until it is assigned to a node. */
  readonly schedulingMs: number;
  readonly pullingMs: number;
  readonly startingMs: number;
  readonly readinessMs: number;
  /** How long containers run that end by themselves. */
  readonly runningMs: number;
  /** From the request to delete a pod until it is gone; at most its grace period. */
  readonly terminationMs: number;
  /** Each delay differs by up to this share of itself, in [0, 1]; the seed chooses. */
  readonly jitter: number;
}

export interface WorkloadBehaviour {
  /** The same seed and the same pods give the same outcomes and delays. */
  readonly seed: number;
  /** The first that applies decides. */
  readonly rules: readonly OutcomeRule[];
  /** For containers without a rule. */
  readonly outcome: Outcome;
  readonly delays: PodDelays;
  /** Whether Services of type LoadBalancer get an address. */
  readonly loadBalancers: boolean;
  /** The classes whose claims are bound. */
  readonly storageClasses: readonly string[];
}

/** Everything starts at once, except images that tests use because they do not exist. */
export const defaultBehaviour: WorkloadBehaviour = {
  seed: 1,
  // KubeFleet's tests use the first one; no registry of the second sort can exist.
  rules: [{ images: ['random-image-name', '*.invalid/*'], outcome: 'image-error' }],
  outcome: 'ready',
  delays: {
    schedulingMs: 0,
    pullingMs: 0,
    startingMs: 0,
    readinessMs: 0,
    runningMs: 0,
    terminationMs: 0,
    jitter: 0,
  },
  loadBalancers: true,
  storageClasses: ['standard'],
};
