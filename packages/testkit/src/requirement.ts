import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Some suites need tools or data that may not be installed. A suite without them is skipped with a reason, unless
 * FLOTILLA_REQUIRE names the requirement, as CI does: then the suite fails.
 */
type Requirement =
  | 'kubectl'
  | 'kubectl-1.35'
  | 'kubectl-1.37'
  | 'go'
  | 'helm'
  | 'k9s'
  | 'argo-cd'
  | 'client-node'
  | 'python'
  | 'reference-data';

export interface Availability {
  /** The `skip` option of node:test: false, or the reason. */
  readonly skip: string | false;
}

export function availability(requirement: Requirement, missing: string | undefined): Availability {
  if (missing === undefined) return { skip: false };
  const isRequired = (process.env['FLOTILLA_REQUIRE'] ?? '').split(',').includes(requirement);
  if (isRequired) throw new Error(`FLOTILLA_REQUIRE names ${requirement}, but ${missing}`);
  return { skip: `${requirement}: ${missing}` };
}

interface ReferenceData extends Availability {
  /** Absolute path of a file or folder in the reference data; only meaningful when not skipped. */
  readonly path: (relative: string) => string;
}

/** Data recorded from the systems that Flotilla is compatible with, in the folder FLOTILLA_REFERENCE_DATA. */
export function referenceData(): ReferenceData {
  const root = process.env['FLOTILLA_REFERENCE_DATA'];
  const missing =
    root === undefined
      ? 'FLOTILLA_REFERENCE_DATA is not set'
      : existsSync(root)
        ? undefined
        : 'the folder in FLOTILLA_REFERENCE_DATA does not exist';
  return { ...availability('reference-data', missing), path: (relative) => resolve(root ?? '.', relative) };
}
