/** CEL expressions over one ManagedCluster, with OCM's libraries and limits. */
import {
  CelError,
  compile,
  createEnvironment,
  kubernetesLibraries,
  program,
  types,
  type Environment,
  type Program,
} from '@flotilla/cel';
import type { ClusterRow } from '../cluster-row.ts';
import { Misconfiguration } from '../misconfiguration.ts';
import { jsonLibrary } from './json-library.ts';
import { reverseLibrary } from './reverse-library.ts';
import { managedClusterLibrary, type ScoreLookup } from './managed-cluster-library.ts';

/** Those of Kubernetes that OCM includes. */
const libraries = new Set([
  'standard',
  'optional',
  'strings',
  'kubernetes.lists',
  'kubernetes.regex',
  'kubernetes.urls',
  'kubernetes.quantity',
  'kubernetes.net.ip',
  'kubernetes.net.cidr',
  'kubernetes.format',
  'kubernetes.Semver',
]);

const maxExpressionCost = 1_000_000;
/** Of all expressions of one selector, for one cluster. */
const maxSelectorCost = 10_000_000;

/** Of a selector. They are compiled in one turn. OCM has no such limit. */
const maxExpressions = 100;

/** Why a cluster does not meet the expressions of a selector. */
export interface ExpressionFailure {
  readonly expression: string;
  /** Undefined if the expression is false. */
  readonly problem?: string;
}

export interface ExpressionResult {
  readonly failure: ExpressionFailure | undefined;
  /** Of this call. */
  readonly cost: number;
  /** Where to continue, if the budget did not suffice. */
  readonly next?: ExpressionProgress;
}

/** How far the expressions of a selector are evaluated for a cluster. */
export interface ExpressionProgress {
  readonly index: number;
  readonly total: number;
}

const fromStart: ExpressionProgress = { index: 0, total: 0 };

/** Compiles expressions. `scoreOf` is called while they are evaluated. */
export class ExpressionCompiler {
  readonly #environment: Environment;

  constructor(scoreOf: ScoreLookup) {
    this.#environment = createEnvironment({
      libraries: [
        ...kubernetesLibraries.filter(({ name }) => libraries.has(name)),
        managedClusterLibrary(scoreOf),
        jsonLibrary,
        reverseLibrary,
      ],
      variables: new Map([['managedCluster', types.map(types.string, types.dyn)]]),
      options: { validatesLiterals: false },
    });
  }

  /** Throws a Misconfiguration. */
  compile(expressions: readonly string[]): ClusterExpressions {
    if (expressions.length > maxExpressions) {
      throw new Misconfiguration(`celExpressions must have at most ${maxExpressions} items`);
    }
    return new ClusterExpressions(expressions.map((text) => ({ text, program: this.#compile(text) })));
  }

  #compile(text: string): Program {
    const compiled = compile(this.#environment, text);
    if ('issues' in compiled) throw new Misconfiguration(`compilation failed: ${compiled.text}`);
    const made = program(this.#environment, compiled.ast);
    if (!(made instanceof CelError)) return made;
    // OCM checks only the patterns of these ahead. What else always fails, matches no cluster.
    if (/\.find(All)?\(/.test(text)) throw new Misconfiguration(`instantiation failed: ${made.message}`);
    return { evaluate: () => ({ value: made, cost: 1 }) };
  }
}

interface CompiledExpression {
  readonly text: string;
  readonly program: Program;
}

/** The expressions of one selector. */
export class ClusterExpressions {
  readonly #expressions: readonly CompiledExpression[];

  constructor(expressions: readonly CompiledExpression[]) {
    this.#expressions = expressions;
  }

  get isEmpty(): boolean {
    return this.#expressions.length === 0;
  }

  /** Begins no further expression once the budget is spent. */
  evaluate({ value: managedCluster }: ClusterRow, from = fromStart, budget = Infinity): ExpressionResult {
    let { total } = from;
    for (let { index } = from; index < this.#expressions.length; index++) {
      if (total - from.total >= budget) {
        return { failure: undefined, cost: total - from.total, next: { index, total } };
      }
      const { text, program: compiled } = this.#expressions[index] as CompiledExpression;
      const costLimit = Math.min(maxExpressionCost, maxSelectorCost - total);
      const { value, cost } = compiled.evaluate({ managedCluster }, { costLimit });
      total += cost;
      if (value !== true) return { failure: failureOf(text, value), cost: total - from.total };
    }
    return { failure: undefined, cost: total - from.total };
  }
}

function failureOf(expression: string, value: unknown): ExpressionFailure {
  if (value === false) return { expression };
  return { expression, problem: value instanceof CelError ? value.message : 'the result is not a bool' };
}
