export { atRest, ManualClock } from './manual-clock.ts';
export { availability, referenceData, type Availability } from './requirement.ts';
export { settle, type SettleOptions } from './settle.ts';
export { startTestServer, type TestServer, type TestServerOptions, type Through } from './start.ts';
export type { TestWatch, WireAnswer, WireRequestOptions } from './wire.ts';
