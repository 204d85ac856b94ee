export { availability, referenceData, type Availability } from './requirement.ts';
