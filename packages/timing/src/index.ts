export { systemClock, type Clock } from './clock.ts';
export { pause } from './pause.ts';
