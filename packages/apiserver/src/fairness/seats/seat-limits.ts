import type { LevelSpec } from '../objects/flow-objects.ts';

/** How many seats a level has: by its shares, at least after lending, and at most after borrowing. */
export interface SeatLimits {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
  /** The most seats that the work of one request is estimated at; undefined without queues. */
  readonly widest: number | undefined;
}

/** One request may have so much of the seats of its level. */
const widestShare = 0.15;

/** Divides the seats of the server among levels by their shares. Rounds up, so that a small level has one. */
export function seatLimits(levels: readonly LevelSpec[], serverSeats: number): Map<string, SeatLimits> {
  const sum = levels.reduce((shares, level) => shares + level.shares, 0);
  return new Map(levels.map((level) => [level.name, limitsOf(level, serverSeats, sum)]));
}

function limitsOf(level: LevelSpec, serverSeats: number, shareSum: number): SeatLimits {
  const { shares, lendablePercent, borrowingLimitPercent, queuing } = level;
  const nominal = shareSum === 0 ? 0 : Math.ceil((serverSeats * shares) / shareSum);
  const borrowed =
    borrowingLimitPercent === undefined ? serverSeats : Math.round((nominal * borrowingLimitPercent) / 100);
  return {
    nominal,
    lower: nominal - Math.round((nominal * lendablePercent) / 100),
    upper: nominal + borrowed,
    widest: queuing && Math.max(1, Math.min(Math.ceil(nominal * widestShare), Math.trunc(nominal / queuing.handSize))),
  };
}
