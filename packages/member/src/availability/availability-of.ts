import { apiVersionOf, type KubeObject } from '@flotilla/kube';
import { availabilityRules, jobRule, type Trackable } from './availability-rules.ts';
import { FieldTypeError } from './typed-fields.ts';

/** From the identifier of a manifest. */
export interface ResourceIdentifier {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** Results are the reasons of a manifest's Available condition. */
export type Availability =
  | { readonly result: Trackable | 'NotTrackable' }
  | { readonly result: 'Failed'; readonly problem: string };

export interface AvailabilityOptions {
  /** Whether a Job is available once one of its pods is ready or has succeeded. Otherwise Jobs are not trackable. */
  readonly trackJobs?: boolean;
}

/** Whether an applied object is available, by the rule of its kind. */
export function availabilityOf(
  identifier: ResourceIdentifier,
  object: Readonly<KubeObject>,
  { trackJobs = false }: AvailabilityOptions = {},
): Availability {
  const rule = ruleOf(identifier, trackJobs);
  if (rule === undefined) return { result: 'NotTrackable' };
  if (rule === 'at-once') return { result: 'Available' };
  try {
    return { result: rule(object) };
  } catch (error) {
    if (!(error instanceof FieldTypeError)) throw error;
    return { result: 'Failed', problem: `the ${object.kind} on the member is invalid: ${error.message}` };
  }
}

function ruleOf(identifier: ResourceIdentifier, trackJobs: boolean) {
  const name = `${apiVersionOf(identifier)}/${identifier.resource}`;
  return trackJobs && name === 'batch/v1/jobs' ? jobRule : availabilityRules.get(name);
}
