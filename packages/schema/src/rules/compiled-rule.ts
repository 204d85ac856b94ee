import {
  CelError,
  compile,
  createEnvironment,
  extend,
  kubernetesLibraries,
  program,
  types,
  type CelType,
  type CheckedAst,
  type Environment,
  type Program,
} from '@flotilla/cel';
import type { JsonSchema, ValidationRule } from '../json-schema.ts';
import { followFieldPath } from '../structural/field-path.ts';

/** A rule that is ready to run, or the reason why it cannot run. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Undefined if there is nothing to run. */
  readonly program: Program | undefined;
  readonly error: string | undefined;
  readonly usesOldSelf: boolean;
  readonly message: Program | undefined;
  /** Relative to the node, as errors write it. */
  readonly fieldPath: string;
}

let kubernetes: Environment | undefined;

/** Created for the first rule: it has hundreds of functions. */
function kubernetesEnvironment(): Environment {
  return (kubernetes ??= createEnvironment({ libraries: kubernetesLibraries }));
}

/** `self` is the value of the node, `oldSelf` the value before the update. */
export function ruleEnvironment({ optionalOldSelf }: ValidationRule, type: CelType): Environment {
  const self = selfType(type);
  const oldSelf = optionalOldSelf === true ? types.optional(self) : self;
  return extend(
    kubernetesEnvironment(),
    new Map([
      ['self', self],
      ['oldSelf', oldSelf],
    ]),
  );
}

export function usesOldSelf({ references }: CheckedAst): boolean {
  return references.values().some(({ name }) => name === 'oldSelf');
}

/** Rules were checked when the definition was written. A rule that fails here anyway is reported for each object. */
export function compileRule(rule: ValidationRule, self: CelType, schema: JsonSchema): CompiledRule {
  if (rule.rule.trim() === '') return unusable(rule, undefined);
  const environment = ruleEnvironment(rule, self);
  const compiled = compile(environment, rule.rule);
  if ('text' in compiled) return unusable(rule, `compilation failed: ${compiled.text}`);
  if (compiled.ast.resultType.kind !== 'bool') return unusable(rule, 'cel expression must evaluate to a bool');
  const ready = program(environment, compiled.ast);
  if (ready instanceof CelError) return unusable(rule, `program instantiation failed: ${ready.message}`);
  return {
    rule,
    program: ready,
    error: undefined,
    usesOldSelf: usesOldSelf(compiled.ast),
    message: messageProgram(rule, environment),
    fieldPath: fieldPathOf(rule, schema),
  };
}

function unusable(rule: ValidationRule, error: string | undefined): CompiledRule {
  return { rule, program: undefined, error, usesOldSelf: false, message: undefined, fieldPath: '' };
}

function messageProgram({ messageExpression = '' }: ValidationRule, environment: Environment): Program | undefined {
  if (messageExpression === '') return undefined;
  const compiled = compile(environment, messageExpression);
  if ('text' in compiled || compiled.ast.resultType.kind !== 'string') return undefined;
  const ready = program(environment, compiled.ast);
  return ready instanceof CelError ? undefined : ready;
}

function fieldPathOf({ fieldPath = '' }: ValidationRule, schema: JsonSchema): string {
  const found = fieldPath === '' ? undefined : followFieldPath(fieldPath, schema);
  return found !== undefined && 'path' in found ? found.path : '';
}

/** Kubernetes uses a random number here. */
const selfTypeName = 'selfType0';

/** The type of a rule's node. Types of its parts get names relative to it, not to the root of the schema. */
export function selfType(type: CelType): CelType {
  return renamed(type, selfTypeName);
}

function renamed(type: CelType, name: string): CelType {
  if (type.kind === 'list') return types.list(renamed(type.element, `${name}.@idx`));
  if (type.kind === 'map') return types.map(type.key, renamed(type.value, `${name}.@elem`));
  if (type.kind !== 'object') return type;
  return types.object(name, (field) => {
    const fieldType = type.field(field);
    return fieldType && renamed(fieldType, `${name}.${field}`);
  });
}
