import type { BenchContext } from './bench-context.ts';
import { measurementsOf } from './measuring-process.ts';
import type { Measurement } from './measurement.ts';

/** How long the server thinks about who may do what. */
export function authorizeFigure(context: BenchContext): Promise<Measurement[]> {
  context.say('decisions with 1,000 roles and 1,000 bindings');
  return measurementsOf('authorize.ts');
}
