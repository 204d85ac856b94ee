import type { Clock } from '@flotilla/timing';
import type { CallerThrottle } from './queuing/caller-throttle.ts';
import type { RequestTurns } from './queuing/turn-queue.ts';
import type { LevelSpec } from './objects/flow-objects.ts';
import { PriorityLevel, type LevelDependencies } from './priority-level.ts';
import { borrowSeats } from './seats/borrowed-seats.ts';
import { adjustmentMs, type DemandReport } from './seats/seat-demand.ts';
import { seatLimits } from './seats/seat-limits.ts';
import { ReadWriteUsage } from './usage/read-write-usage.ts';

export interface FlowLevelsOptions {
  readonly clock: Clock;
  readonly turns: RequestTurns;
  readonly throttle: CallerThrottle;
  /** The seats of the server. */
  readonly seats: number;
}

/** What the last adjustment was made of, for the metrics. */
export interface LevelAdjustment {
  readonly demand: DemandReport;
  readonly target: number;
}

/**
 * The priority levels of a server and the seats that they lend each other. Seats are adjusted when a request finds none, then
 * every ten seconds while requests do. A server with seats for all requests adjusts nothing and needs no timer.
 */
export class FlowLevels {
  readonly #options: FlowLevelsOptions;
  readonly #levels = new Map<string, PriorityLevel>();
  /** Levels whose object is gone, until their last request ends. */
  readonly #quiescing = new Set<PriorityLevel>();
  readonly adjustments = new Map<PriorityLevel, LevelAdjustment>();
  readonly readWriteUsage: ReadWriteUsage;
  fairFraction = 0;
  #adjustedAt = -Infinity;
  #cancelAdjustment: (() => void) | undefined;

  constructor(options: FlowLevelsOptions) {
    this.#options = options;
    this.readWriteUsage = new ReadWriteUsage(options.clock.elapsed());
  }

  /** Leaves no timer behind. */
  stop(): void {
    this.#cancelAdjustment?.();
    for (const level of this.all()) level.stop();
  }

  get(name: string): PriorityLevel | undefined {
    return this.#levels.get(name);
  }

  /** Sorted by name. */
  all(): readonly PriorityLevel[] {
    for (const level of this.#quiescing) {
      if (!level.isIdle) continue;
      level.stop();
      this.#quiescing.delete(level);
    }
    return [...this.#levels.values(), ...this.#quiescing].sort((one, other) =>
      one.spec.name < other.spec.name ? -1 : 1,
    );
  }

  /** All levels, with their usage up to now. */
  withUsage(): readonly PriorityLevel[] {
    const now = this.#options.clock.elapsed();
    const levels = this.all();
    for (const { usage } of levels) usage.advance(now);
    this.readWriteUsage.advance(now);
    return levels;
  }

  isQuiescing(level: PriorityLevel): boolean {
    return this.#quiescing.has(level);
  }

  /** Requests keep their seats and their places in queues. */
  configure(specs: readonly LevelSpec[]): void {
    const limits = seatLimits(specs, this.#options.seats);
    const names = new Set(specs.map(({ name }) => name));
    for (const [name, level] of this.#levels) {
      if (names.has(name)) continue;
      this.#levels.delete(name);
      this.adjustments.delete(level);
      if (level.isIdle) level.stop();
      else this.#quiescing.add(level);
    }
    for (const spec of specs) {
      const own = limits.get(spec.name);
      if (own === undefined) continue;
      const level = this.#levels.get(spec.name);
      if (level) level.configure(spec, own);
      else this.#levels.set(spec.name, new PriorityLevel(spec, own, this.#levelParts()));
    }
    this.#setLimits(specs);
    this.#adjust();
  }

  #levelParts(): LevelDependencies {
    const { seats: serverSeats, ...options } = this.#options;
    return { ...options, serverSeats, shortage: this.#shortage, readWriteUsage: this.readWriteUsage };
  }

  #setLimits(specs: readonly LevelSpec[]): void {
    const waiting = specs.reduce((sum, { queuing }) => sum + (queuing ? queuing.queues * queuing.lengthLimit : 0), 0);
    const executing = [...this.#levels.values()].reduce((sum, { limits }) => sum + limits.nominal, 0);
    this.readWriteUsage.setLimits({ waiting, executing }, this.#options.clock.elapsed());
  }

  readonly #shortage = (): void => {
    const { clock } = this.#options;
    const passed = clock.elapsed() - this.#adjustedAt;
    if (passed >= adjustmentMs) return this.#adjust();
    this.#cancelAdjustment ??= clock.after(adjustmentMs - passed, () => {
      this.#cancelAdjustment = undefined;
      this.#adjust();
    });
  };

  #adjust(): void {
    const now = this.#options.clock.elapsed();
    this.#adjustedAt = now;
    const levels = [...this.#levels.values()];
    const demands = levels.map((level) => level.demand.report(now));
    const { seats, targets, fraction } = borrowSeats(
      levels.map(({ spec, limits, seats: current }, index) => ({
        isExempt: spec.isExempt,
        limits,
        current,
        demand: demands[index] ?? { highest: 0, average: 0, deviation: 0, smoothed: 0 },
      })),
    );
    this.fairFraction = fraction;
    for (const [index, level] of levels.entries()) {
      const demand = demands[index];
      if (demand) this.adjustments.set(level, { demand, target: targets[index] ?? 0 });
      level.setSeats(seats[index] ?? 0);
    }
  }
}
