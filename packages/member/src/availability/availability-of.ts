import { apiVersionOf, type KubeObject } from '@flotilla/kube';
import { availabilityRules, jobRule, type Trackable } from './availability-rules.ts';
import { FieldTypeError } from './typed-fields.ts';

/** Which resource an object is of, as the identifier of a manifest says. */
export interface ResourceIdentifier {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The words are those of a manifest's Available condition. */
export type Availability =
  | { readonly result: Trackable | 'NotTrackable' }
  | { readonly result: 'Failed'; readonly problem: string };

export interface AvailabilityOptions {
  /** A Job counts when one of its pods is ready or has succeeded; without this, Jobs are not tracked. */
  readonly trackJobs?: boolean;
}

/** Whether an object that was applied does what it is there for, as far as its kind lets us know. */
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
    return { result: 'Failed', problem: `the ${object.kind} of the member cannot be read: ${error.message}` };
  }
}

function ruleOf(identifier: ResourceIdentifier, trackJobs: boolean) {
  const name = `${apiVersionOf(identifier)}/${identifier.resource}`;
  return trackJobs && name === 'batch/v1/jobs' ? jobRule : availabilityRules.get(name);
}
