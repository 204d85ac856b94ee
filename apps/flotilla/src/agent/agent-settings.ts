/** Turns flags into settings of the agent. */
import type { LogLevel } from '@flotilla/kube';
import type { AgentOptions, RequeueSettings } from '@flotilla/member';
import { electionIn, type ElectionOptions } from '../election-options.ts';
import { UserError } from '../user-error.ts';
import type { AddressFlags, AgentFlags, ApplierFlags, ConnectionFlags } from './agent-flags.ts';

type Settings = Pick<AgentOptions, 'limits' | 'requeue' | 'priorities' | 'trackJobs' | 'election'>;

export function settingsIn(flags: ApplierFlags & ElectionOptions, identity: string): Settings {
  const election = electionIn(flags, identity);
  return {
    limits: { deletionWaitMs: flags.deletionWaitTime * 60_000 },
    requeue: requeueIn(flags),
    ...(flags.enableWorkApplierPriorityQueue === 'true' && {
      priorities: {
        perMinute: flags.workApplierPriorityLinearEquationCoeffA,
        whenNew: flags.workApplierPriorityLinearEquationCoeffB,
      },
    }),
    trackJobs: flags.trackJobs === 'true',
    ...(election && { election }),
  };
}

function requeueIn(flags: ApplierFlags): RequeueSettings {
  const settings = {
    fixedAttempts: flags.workApplierRequeueRateLimiterAttemptsWithFixedDelay,
    fixedMs: flags.workApplierRequeueRateLimiterFixedDelaySeconds * 1000,
    initialSlowMs: flags.workApplierRequeueRateLimiterInitialSlowBackoffDelaySeconds * 1000,
    slowBase: flags.workApplierRequeueRateLimiterExponentialBaseForSlowBackoff,
    maxSlowMs: flags.workApplierRequeueRateLimiterMaxSlowBackoffDelaySeconds * 1000,
    fastBase: flags.workApplierRequeueRateLimiterExponentialBaseForFastBackoff,
    maxFastMs: flags.workApplierRequeueRateLimiterMaxFastBackoffDelaySeconds * 1000,
    skipsToFastWhenSettled:
      flags.workApplierRequeueRateLimiterSkipToFastBackoffForAvailableOrDiffReportedWorkObjs === 'true',
  };
  const prefix = '--work-applier-requeue-rate-limiter';
  if (settings.initialSlowMs > settings.maxSlowMs) {
    throw new UserError(
      `${prefix}-initial-slow-backoff-delay-seconds must not be above ${prefix}-max-slow-backoff-delay-seconds.`,
    );
  }
  if (settings.maxSlowMs > settings.maxFastMs) {
    throw new UserError(
      `${prefix}-max-slow-backoff-delay-seconds must not be above ${prefix}-max-fast-backoff-delay-seconds.`,
    );
  }
  if (settings.fastBase < settings.slowBase) {
    throw new UserError(
      `${prefix}-exponential-base-for-fast-backoff must not be below ${prefix}-exponential-base-for-slow-backoff.`,
    );
  }
  return settings;
}

export interface RequestLimits {
  readonly perSecond: number;
  readonly burst: number;
}

/** KubeFleet's defaults apply without `--name`. With it, requests are unlimited unless a flag sets a limit. */
export function limitsIn(flags: ConnectionFlags): Record<'hub' | 'member', RequestLimits | undefined> {
  const hasName = flags.name !== undefined;
  return {
    hub: limitsOf('hub', flags.hubApiQps ?? (hasName ? -1 : 50), flags.hubApiBurst ?? 500),
    member: limitsOf('member', flags.memberApiQps ?? (hasName ? -1 : 250), flags.memberApiBurst ?? 1000),
  };
}

function limitsOf(side: string, perSecond: number, burst: number): RequestLimits | undefined {
  if (perSecond < 0) return undefined;
  if (burst < perSecond) throw new UserError(`--${side}-api-burst must not be below --${side}-api-qps.`);
  return { perSecond, burst };
}

export interface ServedAddresses {
  readonly health: readonly string[];
  readonly metrics: readonly string[];
}

export function addressesIn(flags: AddressFlags & ConnectionFlags): ServedAddresses {
  const defaultTo = (address: string): string => (flags.name === undefined ? address : '');
  const enabled = (addresses: readonly string[]): string[] => addresses.filter((text) => text !== '' && text !== '0');
  return {
    health: enabled([
      flags.hubHealthProbeBindAddress ?? defaultTo(':8081'),
      flags.healthProbeBindAddress ?? defaultTo(':8091'),
    ]),
    metrics: enabled([
      flags.hubMetricsBindAddress ?? defaultTo(':8080'),
      flags.metricsBindAddress ?? defaultTo(':8090'),
    ]),
  };
}

export function logLevelIn({ logLevel, v }: Pick<AgentFlags, 'logLevel' | 'v'>): LogLevel {
  const verbosity = Number(v ?? 0);
  if (verbosity >= 4) return 'debug';
  return verbosity >= 2 ? 'info' : logLevel;
}
