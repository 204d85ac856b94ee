export interface RequeueSettings {
  /** How many looks come after the fixed delay, before delays begin to grow. */
  readonly fixedAttempts: number;
  readonly fixedMs: number;
  /** The first delay that grows, by which factor, and up to what; then it grows by the faster factor. */
  readonly initialSlowMs: number;
  readonly slowBase: number;
  readonly maxSlowMs: number;
  readonly fastBase: number;
  readonly maxFastMs: number;
  /** A Work that is available or has reported its diff need not be looked at often. */
  readonly skipsToFastWhenSettled: boolean;
}

export const defaultRequeueSettings: RequeueSettings = {
  fixedAttempts: 1,
  fixedMs: 5_000,
  initialSlowMs: 2_000,
  slowBase: 1.2,
  maxSlowMs: 15_000,
  fastBase: 1.5,
  maxFastMs: 900_000,
  skipsToFastWhenSettled: true,
};

/** What takes the place of settings under which delays would not grow, or grow out of hand. */
const fallback = { bases: 1.2, initialSlowMs: 2_000, maxSlowMs: 30_000, maxFastMs: 900_000 };

const shortestMs = 2_000;
const longestMs = 3_600_000;

/** Settings that make no sense are replaced, a group at a time. */
export function soundSettings(settings: RequeueSettings = defaultRequeueSettings): RequeueSettings {
  const { fixedAttempts, fixedMs, slowBase, fastBase, initialSlowMs, maxSlowMs, maxFastMs } = settings;
  const areBasesSound = slowBase >= 1.05 && slowBase <= fastBase && fastBase <= 100;
  const areDelaysSound =
    initialSlowMs >= shortestMs && initialSlowMs <= maxSlowMs && maxSlowMs <= maxFastMs && maxFastMs <= longestMs;
  return {
    skipsToFastWhenSettled: settings.skipsToFastWhenSettled,
    fixedAttempts: fixedAttempts >= 1 && fixedAttempts <= 40 ? fixedAttempts : 1,
    fixedMs: Math.max(fixedMs, shortestMs),
    slowBase: areBasesSound ? slowBase : fallback.bases,
    fastBase: areBasesSound ? fastBase : fallback.bases,
    initialSlowMs: areDelaysSound ? initialSlowMs : fallback.initialSlowMs,
    maxSlowMs: areDelaysSound ? maxSlowMs : fallback.maxSlowMs,
    maxFastMs: areDelaysSound ? maxFastMs : fallback.maxFastMs,
  };
}
