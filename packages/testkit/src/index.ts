export { availability, referenceData, type Availability, type ReferenceData, type Requirement } from './requirement.ts';
