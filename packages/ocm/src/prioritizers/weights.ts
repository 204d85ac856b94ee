import type { OcmPlacementSpec, PrioritizerConfiguration, ScoreCoordinate } from '@flotilla/api';
import { stringifyJson } from '@flotilla/kube';
import { Misconfiguration } from '../misconfiguration.ts';
import { addOnPrioritizer } from './add-on.ts';
import { builtInPrioritizers } from './built-in.ts';
import type { Prioritizer } from './prioritizer.ts';

export interface Weighted {
  readonly prioritizer: Prioritizer;
  readonly weight: number;
}

export interface Weights {
  readonly prioritizers: readonly Weighted[];
  /** Of the prioritizer Spread, which scores clusters while they are selected. */
  readonly spread: number;
}

export const spreadName = 'Spread';

/** Only Placements with spread constraints have it. OCM declares it and never built it. */
const defaultSpreadWeight = 2;

/** All of them score all clusters in one turn. OCM has no such limit. */
const maxConfigurations = 100;

/** Throws a Misconfiguration. */
export function weightsOf({ prioritizerPolicy, spreadPolicy }: Readonly<OcmPlacementSpec>): Weights {
  const { mode = 'Additive', configurations = [] } = prioritizerPolicy ?? {};
  if (configurations.length > maxConfigurations) {
    throw new Misconfiguration(`prioritizerPolicy.configurations must have at most ${maxConfigurations} items`);
  }
  const hasConstraints = (spreadPolicy?.spreadConstraints ?? []).length > 0;
  const weights = new Map<string, { readonly coordinate: ScoreCoordinate; readonly weight: number }>();
  for (const [coordinate, weight] of defaultsFor(mode, hasConstraints))
    weights.set(keyOf(coordinate), { coordinate, weight });
  for (const { coordinate, weight } of configurations.map(checked))
    weights.set(keyOf(coordinate), { coordinate, weight });
  const counted = [...weights.values()].filter(({ weight }) => weight !== 0);
  const isSpread = ({ coordinate }: (typeof counted)[number]): boolean =>
    coordinate.type === 'BuiltIn' && coordinate.builtIn === spreadName;
  return {
    prioritizers: counted
      .filter((one) => !isSpread(one))
      .map(({ coordinate, weight }) => ({ prioritizer: prioritizerOf(coordinate), weight })),
    spread: counted.find(isSpread)?.weight ?? 0,
  };
}

function defaultsFor(mode: string, hasConstraints: boolean): [ScoreCoordinate, number][] {
  const builtIn = (name: string): ScoreCoordinate => ({ type: 'BuiltIn', builtIn: name });
  switch (mode) {
    case 'Exact':
      return [];
    case 'Additive':
    case '':
      return [
        [builtIn('Balance'), 1],
        [builtIn('Steady'), 1],
        ...(hasConstraints ? [[builtIn(spreadName), defaultSpreadWeight] satisfies [ScoreCoordinate, number]] : []),
      ];
    default:
      throw new Misconfiguration(`incorrect prioritizer policy mode: ${mode}`);
  }
}

/** The schema requires coordinates. Objects of another server may lack them. */
function checked({ scoreCoordinate, weight }: PrioritizerConfiguration): {
  readonly coordinate: ScoreCoordinate;
  readonly weight: number;
} {
  const coordinate = scoreCoordinate as ScoreCoordinate | undefined;
  if (coordinate === undefined) throw new Misconfiguration('scoreCoordinate field is required');
  return { coordinate, weight };
}

/** The last weight of a coordinate counts. OCM compares add-ons by pointer, so that it adds up repeated ones. */
function keyOf({ type, builtIn = '', addOn }: ScoreCoordinate): string {
  return type === 'BuiltIn'
    ? stringifyJson([type, builtIn])
    : stringifyJson([type, addOn?.resourceName ?? '', addOn?.scoreName ?? '']);
}

function prioritizerOf({ type, builtIn = '', addOn }: ScoreCoordinate): Prioritizer {
  if (type === 'BuiltIn') {
    const found = builtInPrioritizers.get(builtIn);
    if (found === undefined) throw new Misconfiguration(`incorrect builtin prioritizer: ${builtIn}`);
    return found;
  }
  if (addOn === undefined) throw new Misconfiguration('addOn should not be empty');
  return addOnPrioritizer(addOn.resourceName, addOn.scoreName);
}
