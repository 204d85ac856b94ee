import { extname } from 'node:path';
import type { HeavyThreadOptions } from '@flotilla/apiserver';
import { fleetAdmissionName } from './admission/embedded-admission.ts';
import { refusingWebhook } from './faults/refusing-webhook.ts';

/** The worker has the extension of this file: `.ts` in the sources, another in a bundle. */
export const hubHeavy: HeavyThreadOptions = {
  program: new URL(`./hub-heavy-worker${extname(import.meta.url)}`, import.meta.url),
  addedAdmission: [fleetAdmissionName, refusingWebhook.name],
};
