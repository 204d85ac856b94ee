export { configMap, deployment } from './builders.ts';
export { atRest, ManualClock } from './manual-clock.ts';
export { availability, referenceData, type Availability } from './requirement.ts';
export { settle, type SettleOptions } from './settle.ts';
export { startTestFleet, startTestHub, startTestServer } from './start.ts';
export type { TestFleet, TestFleetOptions } from './test-fleet.ts';
export type { TestHub } from './test-hub.ts';
export type { TestServer, TestServerOptions, Through } from './test-server.ts';
export type { TestWatch, WireAnswer, WireRequestOptions } from './wire.ts';
