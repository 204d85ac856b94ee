import type { OcmPlacementSpec } from '@flotilla/api';
import type { ExpressionCompiler } from './expressions/cluster-expressions.ts';
import { Predicates } from './filters/predicates.ts';
import { Tolerations } from './filters/tolerations.ts';
import { Misconfiguration } from './misconfiguration.ts';
import { weightsOf, type Weights } from './prioritizers/weights.ts';

/** The spec of a Placement, prepared for many decisions. What makes no sense is reported when a decision reads it, as in OCM. */
export class CompiledPlacement {
  readonly spec: Readonly<OcmPlacementSpec>;
  /** Undefined if there are none. */
  readonly predicates: Predicates | Misconfiguration | undefined;
  readonly tolerations: Tolerations | Misconfiguration;
  readonly weights: Weights | Misconfiguration;

  constructor(spec: Readonly<OcmPlacementSpec>, compiler: ExpressionCompiler) {
    const { predicates = [], tolerations = [] } = spec;
    this.spec = spec;
    this.predicates = predicates.length === 0 ? undefined : compiled(() => new Predicates(predicates, compiler));
    this.tolerations = compiled(() => new Tolerations(tolerations));
    this.weights = compiled(() => weightsOf(spec));
  }
}

function compiled<T>(compile: () => T): T | Misconfiguration {
  try {
    return compile();
  } catch (error) {
    if (error instanceof Misconfiguration) return error;
    throw error;
  }
}
