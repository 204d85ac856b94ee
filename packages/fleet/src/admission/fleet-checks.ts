import type { FleetCheck } from './fleet-check.ts';
import { memberGuards } from './member-guards.ts';
import { placementAdmission } from './placement-checks.ts';
import { updateRunAdmission } from './update-run-defaults.ts';

/** All checks and defaults of the fleet's own kinds. */
export const fleetChecks: readonly FleetCheck[] = [...memberGuards, ...placementAdmission, ...updateRunAdmission];
