export { systemClock, type Clock } from './clock.ts';
export { inParallel } from './in-parallel.ts';
export { LoopTurns } from './loop-turns.ts';
export { pause, whenAborted } from './pause.ts';
export { runSteps, type Steps } from './run-steps.ts';
export { ShiftedClock } from './shifted-clock.ts';
