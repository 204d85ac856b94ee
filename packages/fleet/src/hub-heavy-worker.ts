/** The entry point of the worker thread that runs heavy requests of a hub and its embedded members. */
import { runHeavyWorker } from '@flotilla/apiserver';
import { refusingWebhook } from './faults/refusing-webhook.ts';
import { fleetAdmission } from './admission/embedded-admission.ts';
import type { FleetCheckSettings } from './admission/fleet-checks.ts';

runHeavyWorker((settings) => [fleetAdmission(settings as FleetCheckSettings), refusingWebhook]);
