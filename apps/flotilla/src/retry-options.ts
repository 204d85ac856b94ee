/** When the hub's controllers retry what failed, with the names, ranges and defaults of KubeFleet's hub agent. */
import type { HubSettings } from '@flotilla/fleet';
import type { Command } from 'commander';
import { duration, numberOption } from './go-options.ts';
import { UserError } from './user-error.ts';

export interface RetryOptions {
  readonly rateLimiterBaseDelay: number;
  readonly rateLimiterMaxDelay: number;
  readonly rateLimiterQps: number;
  readonly rateLimiterBucketSize: number;
}

export function addRetryOptions(command: Command): Command {
  const base = duration('--rate-limiter-base-delay', 'delay after a first failure', { from: 1, to: 200 });
  const longest = duration('--rate-limiter-max-delay', 'longest delay after failures', { from: 1000, to: 300_000 });
  const rate = numberOption('--rate-limiter-qps', 'retries in a second', { from: 1, to: 1000, isInteger: true });
  const bucket = numberOption('--rate-limiter-bucket-size', 'retries at once', {
    from: 1,
    to: 10_000,
    isInteger: true,
  });
  return command
    .addOption(base.default(5, '5ms'))
    .addOption(longest.default(60_000, '1m'))
    .addOption(rate.default(10))
    .addOption(bucket.default(100));
}

export function retryLimitsIn(options: RetryOptions): NonNullable<HubSettings['retryLimits']> {
  const { rateLimiterBaseDelay: firstMs, rateLimiterMaxDelay: maxMs } = options;
  const { rateLimiterQps: perSecond, rateLimiterBucketSize: burst } = options;
  if (firstMs >= maxMs) throw new UserError('--rate-limiter-base-delay must be below --rate-limiter-max-delay.');
  if (perSecond > burst) throw new UserError('--rate-limiter-qps must not be above --rate-limiter-bucket-size.');
  return { firstMs, maxMs, perSecond, burst };
}
