export { atRest, ManualClock } from './manual-clock.ts';
export { availability, referenceData, type Availability } from './requirement.ts';
