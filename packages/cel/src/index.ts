export { admissionEnvironment, DeclaredVariables, type AdmissionVariables } from './admission/admission-environment.ts';
export { jsonPatchType, objectType, typeNameProblems } from './admission/patch-types.ts';
export { childrenOf, type CheckedAst, type Expr, type ParsedAst } from './ast.ts';
export { declaredName, isSameType, typeName } from './check/type-relations.ts';
export { maxCost, type CostRange, type EstimatedArgument, type EstimatedElement, type SizeOf } from './cost/cost.ts';
export { estimateCost } from './cost/estimate.ts';
export {
  compile,
  createEnvironment,
  extend,
  type Compiled,
  type CompileFailure,
  type Environment,
  type EnvironmentOptions,
  type EnvironmentParts,
} from './environment.ts';
export { program, type Bindings, type Evaluation, type EvaluationOptions, type Program } from './evaluate/program.ts';
export {
  authorizerLibrary,
  authorizerType,
  createAuthorizer,
  createResourceCheck,
  resourceCheckType,
  type AccessDecision,
  type AuthorizationAttributes,
  type Decide,
  type RequestedResource,
} from './libraries/authorizer.ts';
export { bindingsLibrary, kubernetesLibraries } from './libraries/kubernetes.ts';
export { quantityType } from './libraries/quantity.ts';
export { urlProblem } from './libraries/net/url-parts.ts';
export type { FunctionDeclaration, Library, Macro, Overload } from './library.ts';
export { types, type CelType, type ObjectType, type OpaqueType } from './type.ts';
export {
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelStruct,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  type Result,
} from './value.ts';
export { equals } from './values/equality.ts';
export { celOf, CreatedStruct, jsonOf, type JsonReading } from './values/json-value.ts';
export { ArrayList } from './values/list.ts';
export { parseDuration, parseTimestamp } from './values/time-text.ts';
