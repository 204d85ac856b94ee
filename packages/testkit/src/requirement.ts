import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Some suites need what a fresh machine may lack. Each such need has a name; a test that lacks it is skipped with a sentence,
 * unless FLOTILLA_REQUIRE names it, as CI does: then its absence is a failure.
 */
type Requirement = 'kubectl' | 'go' | 'helm' | 'client-node' | 'python' | 'reference-data';

export interface Availability {
  /** What node:test takes as `skip`: false, or the sentence that says why. */
  readonly skip: string | false;
}

export function availability(requirement: Requirement, missing: string | undefined): Availability {
  if (missing === undefined) return { skip: false };
  const isRequired = (process.env['FLOTILLA_REQUIRE'] ?? '').split(',').includes(requirement);
  if (isRequired) throw new Error(`FLOTILLA_REQUIRE asks for ${requirement}, but ${missing}`);
  return { skip: `${requirement}: ${missing}` };
}

interface ReferenceData extends Availability {
  /** Absolute path of a file or folder in the reference data; only meaningful when not skipped. */
  readonly path: (relative: string) => string;
}

/** The data of the systems that Flotilla is compatible with, where FLOTILLA_REFERENCE_DATA says. */
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
