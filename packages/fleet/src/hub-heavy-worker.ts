/** The entry point of the worker thread that runs heavy requests of a hub. */
import { runHeavyWorker } from '@flotilla/apiserver';
import { fleetAdmission } from './fleet-admission.ts';

runHeavyWorker(fleetAdmission);
