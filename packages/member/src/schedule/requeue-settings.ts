export interface RequeueSettings {
  /** How many turns come after the fixed delay, before delays grow. */
  readonly fixedAttempts: number;
  readonly fixedMs: number;
  /** Delays grow from `initialSlowMs` by `slowBase` to `maxSlowMs`, then by `fastBase` to `maxFastMs`. */
  readonly initialSlowMs: number;
  readonly slowBase: number;
  readonly maxSlowMs: number;
  readonly fastBase: number;
  readonly maxFastMs: number;
  /** Whether the delay of a Work that is available or has reported its diff grows by `fastBase` from the start. */
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

/** Replace invalid settings. */
const fallback = { bases: 1.2, initialSlowMs: 2_000, maxSlowMs: 30_000, maxFastMs: 900_000 };

const shortestMs = 2_000;
const longestMs = 3_600_000;

/** Replaces invalid settings: all factors if one is invalid, all delays if one is invalid. */
export function validSettings(settings: RequeueSettings = defaultRequeueSettings): RequeueSettings {
  const { fixedAttempts, fixedMs, slowBase, fastBase, initialSlowMs, maxSlowMs, maxFastMs } = settings;
  const areBasesValid = slowBase >= 1.05 && slowBase <= fastBase && fastBase <= 100;
  const areDelaysValid =
    initialSlowMs >= shortestMs && initialSlowMs <= maxSlowMs && maxSlowMs <= maxFastMs && maxFastMs <= longestMs;
  return {
    skipsToFastWhenSettled: settings.skipsToFastWhenSettled,
    fixedAttempts: fixedAttempts >= 1 && fixedAttempts <= 40 ? fixedAttempts : 1,
    fixedMs: Math.max(fixedMs, shortestMs),
    slowBase: areBasesValid ? slowBase : fallback.bases,
    fastBase: areBasesValid ? fastBase : fallback.bases,
    initialSlowMs: areDelaysValid ? initialSlowMs : fallback.initialSlowMs,
    maxSlowMs: areDelaysValid ? maxSlowMs : fallback.maxSlowMs,
    maxFastMs: areDelaysValid ? maxFastMs : fallback.maxFastMs,
  };
}
