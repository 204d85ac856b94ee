import type { DeviceSelectorFault } from '@flotilla/builtins';
import {
  bindingsLibrary,
  CelError,
  compile,
  createEnvironment,
  estimateCost,
  kubernetesLibraries,
  program,
  quantityType,
  typeName,
  types,
  type CelType,
  type CostRange,
  type Environment,
} from '@flotilla/cel';

const maxSelectorCost = 1_000_000;

const maxDomainLength = 63;
const maxIdLength = 32;
const maxDriverLength = 63;
const maxAttributes = 32;
const maxAttributeLength = 64;

const mapOfMaps = (value: CelType): CelType => types.map(types.string, types.map(types.string, value));

const deviceFields: ReadonlyMap<string, CelType> = new Map([
  ['driver', types.string],
  ['allowMultipleAllocations', types.bool],
  ['attributes', mapOfMaps(types.dyn)],
  ['capacity', mapOfMaps(quantityType)],
]);

const device = types.object('kubernetes.DRADevice', (name) => deviceFields.get(name));

let devices: Environment | undefined;

/** Created for the first selector: it has hundreds of functions. */
function deviceEnvironment(): Environment {
  return (devices ??= createEnvironment({
    libraries: [...kubernetesLibraries, bindingsLibrary],
    variables: new Map([['device', device]]),
  }));
}

/** Compiles a CEL expression that selects devices, like Kubernetes. It is never evaluated: no scheduler runs here. */
export function deviceSelectorFault(expression: string): DeviceSelectorFault | undefined {
  const environment = deviceEnvironment();
  const compiled = compile(environment, expression);
  if ('text' in compiled) return { kind: 'invalid', detail: `compilation failed: ${compiled.text}` };
  const { ast } = compiled;
  const { kind } = ast.resultType;
  if (kind !== 'bool' && kind !== 'dyn') {
    const detail = `must evaluate to bool or the unknown type, not ${kind === 'null' ? 'null_type' : typeName(ast.resultType)}`;
    return { kind: 'invalid', detail };
  }
  const ready = program(environment, ast);
  if (ready instanceof CelError) return { kind: 'invalid', detail: `program instantiation failed: ${ready.message}` };
  const isTooComplex = estimateCost(environment, ast, sizeAt).max > maxSelectorCost;
  return isTooComplex ? { kind: 'forbidden', detail: 'too complex, exceeds cost limit' } : undefined;
}

/** The maximum size of a field of a device. */
function sizeAt(path: readonly string[]): CostRange | undefined {
  const [root, field, ...steps] = path;
  if (root !== 'device') return undefined;
  const max = maxSizeAt(field, steps);
  return max === undefined ? undefined : { min: 0, max };
}

function maxSizeAt(field: string | undefined, [outer, inner, ...deeper]: readonly string[]): number | undefined {
  if (field === undefined) return 0;
  const isMap = field === 'attributes' || field === 'capacity';
  if (!isMap) return outer !== undefined ? undefined : field === 'driver' ? maxDriverLength : 1;
  if (outer === undefined) return maxAttributes;
  if (outer === '@keys') return inner === undefined ? maxDomainLength : undefined;
  if (outer !== '@values') return undefined;
  if (inner === undefined) return maxAttributes;
  if (inner === '@keys') return deeper.length === 0 ? maxIdLength : undefined;
  // The limit holds for every attribute.
  if (deeper.length > 0 || (field === 'capacity' && inner !== '@values')) return undefined;
  return field === 'attributes' ? maxAttributeLength : 0;
}
