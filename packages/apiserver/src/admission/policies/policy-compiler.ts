import type { ExpressionChecker, ExpressionUse, StartChecking } from '@flotilla/builtins';
import {
  admissionEnvironment,
  DeclaredVariables,
  jsonPatchType,
  objectType,
  types,
  type CelType,
  type Environment,
} from '@flotilla/cel';
import { compileExpression, type CompiledExpression } from './compile-expression.ts';

interface Use {
  readonly hasAuthorizer: boolean;
  readonly hasPatchTypes: boolean;
  readonly results: readonly CelType[];
}

const uses: Readonly<Record<ExpressionUse, Use>> = {
  matchCondition: { hasAuthorizer: true, hasPatchTypes: false, results: [types.bool] },
  validation: { hasAuthorizer: true, hasPatchTypes: false, results: [types.bool] },
  messageExpression: { hasAuthorizer: false, hasPatchTypes: false, results: [types.string] },
  auditAnnotation: { hasAuthorizer: true, hasPatchTypes: false, results: [types.string, types.null] },
  applyConfiguration: { hasAuthorizer: true, hasPatchTypes: true, results: [objectType] },
  jsonPatch: { hasAuthorizer: true, hasPatchTypes: true, results: [types.list(jsonPatchType)] },
};

/** Compiles the expressions of one policy. Variables come first: each is declared for the expressions after it. */
export class PolicyCompiler {
  readonly variables = new Map<string, CompiledExpression>();
  readonly #hasParams: boolean;
  readonly #declared: DeclaredVariables | undefined;
  readonly #environments = new Map<string, Environment>();

  constructor({ hasParams, hasVariables }: { readonly hasParams: boolean; readonly hasVariables: boolean }) {
    this.#hasParams = hasParams;
    this.#declared = hasVariables ? new DeclaredVariables() : undefined;
  }

  addVariable(name: string, text: string): CompiledExpression {
    const compiled = compileExpression(this.#environment(uses.validation), text, undefined);
    this.#declared?.declare(name, compiled.type);
    this.variables.set(name, compiled);
    return compiled;
  }

  compile(use: ExpressionUse, text: string): CompiledExpression {
    return compileExpression(this.#environment(uses[use]), text, uses[use].results);
  }

  #environment({ hasAuthorizer, hasPatchTypes }: Use): Environment {
    const key = `${hasAuthorizer} ${hasPatchTypes}`;
    const known = this.#environments.get(key);
    if (known) return known;
    const variables = this.#declared && { variables: this.#declared.type };
    const made = admissionEnvironment({ hasParams: this.#hasParams, hasAuthorizer, hasPatchTypes, ...variables });
    this.#environments.set(key, made);
    return made;
  }
}

/** Checks expressions when they are written. Match conditions cannot read variables then, though they could later. */
export const checkExpressions: StartChecking = ({ hasParams, hasVariables }): ExpressionChecker => {
  const compiler = new PolicyCompiler({ hasParams, hasVariables });
  const conditions = hasVariables ? new PolicyCompiler({ hasParams, hasVariables: false }) : compiler;
  return {
    addVariable: (name, expression) => compiler.addVariable(name, expression).fault,
    check: (use, expression) => (use === 'matchCondition' ? conditions : compiler).compile(use, expression).fault,
  };
};
