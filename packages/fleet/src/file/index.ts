/** The third entry point of this package: fleet files. It loads their schema, which most programs do not need. */
export { fleet as fleetSchema, maxMembers, type FleetFile, type HubFile, type MemberFile } from './fleet-schema.ts';
export { shapeOfMembers, type FleetShape, type HubShape, type MemberShape } from './fleet-shape.ts';
export { FleetFileError, maxFleetFileBytes, parseFleetFile, type ParseFleetFileOptions } from './parse-fleet-file.ts';
export { completeFleetFile, printFleetFile } from './print-fleet-file.ts';
