import {
  labelValueProblems,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  parseGoTime,
  qualifiedNameProblems,
  TimeError,
} from '@flotilla/kube';
import { patternFactor, scaled, traversalFactor, type EstimatedArgument } from '../../cost/cost.ts';
import { searchCost } from '../../cost/text-costs.ts';
import { declare, member, overload, type Library } from '../../library.ts';
import { types, type CelType } from '../../type.ts';
import { CelOpaque, CelOptional, type CelValue, type Result } from '../../value.ts';
import { ArrayList } from '../../values/list.ts';
import { sizeOf } from '../../values/size.ts';
import { urlProblem } from '../net/url-parts.ts';

export const formatType: CelType = types.sealed('kubernetes.NamedFormat');

class CelFormat extends CelOpaque {
  override readonly typeName = 'kubernetes.NamedFormat';
  readonly #name: string;
  readonly problems: Problems;
  /** The length of its pattern, or of one with the same cost. */
  readonly patternSize: number;

  constructor(name: string, patternSize: number, problems: Problems) {
    super();
    this.#name = name;
    this.patternSize = patternSize;
    this.problems = problems;
  }

  override equals(other: CelOpaque): boolean {
    return other instanceof CelFormat && this.#name === other.#name;
  }
}

/** Returns error messages, none if the text is valid. */
type Problems = (text: string) => readonly string[];

const formats: ReadonlyMap<string, CelFormat> = new Map(
  Object.entries({
    dns1123Label: new CelFormat('DNS1123Label', 30, (text) => nameIsDnsLabel(text, false)),
    dns1123Subdomain: new CelFormat('DNS1123Subdomain', 60, (text) => nameIsDnsSubdomain(text, false)),
    dns1035Label: new CelFormat('DNS1035Label', 30, (text) => nameIsDns1035Label(text, false)),
    qualifiedName: new CelFormat('QualifiedName', 60, qualifiedNameProblems),
    dns1123LabelPrefix: new CelFormat('DNS1123LabelPrefix', 30, (text) => nameIsDnsLabel(text, true)),
    dns1123SubdomainPrefix: new CelFormat('DNS1123SubdomainPrefix', 60, (text) => nameIsDnsSubdomain(text, true)),
    dns1035LabelPrefix: new CelFormat('DNS1035LabelPrefix', 30, (text) => nameIsDns1035Label(text, true)),
    labelValue: new CelFormat('LabelValue', 40, labelValueProblems),
    uri: new CelFormat('URI', 1103, uriProblems),
    uuid: new CelFormat('uuid', 70, unless(isUuid, 'does not match the UUID format')),
    byte: new CelFormat('byte', 84, unless(isBase64, 'invalid base64')),
    date: new CelFormat('date', 71, unless(isDate, 'invalid date')),
    datetime: new CelFormat('datetime', 71, unless(isDateTime, 'invalid datetime')),
  }),
);

/** The assumed pattern length in estimates. */
const usualPatternSize = 128;

/** Named formats: `format.dns1123Label().validate(x)`. */
export const formatLibrary: Library = {
  name: 'kubernetes.format',
  functions: [
    declare(
      'validate',
      member('format-validate', [formatType, types.string], types.optional(types.list(types.string)), validate, {
        cost: ([format, text]) => searchCost(sizeOf(text as CelValue), (format as CelFormat).patternSize),
        estimate: ([, text]) => {
          const reading = scaled((text as EstimatedArgument).size, traversalFactor);
          return { cost: scaled(reading, usualPatternSize * patternFactor) };
        },
      }),
    ),
    declare(
      'format.named',
      overload(
        'format-named',
        [types.string],
        types.optional(formatType),
        (name: string) => new CelOptional(formats.get(name)),
      ),
    ),
    ...Array.from(formats, ([name, format]) =>
      declare(
        `format.${name}`,
        overload(`format.${name}`, [], formatType, () => format),
      ),
    ),
  ],
};

function validate(format: CelFormat, text: string): Result {
  const problems = format.problems(text);
  return problems.length === 0 ? CelOptional.none : new CelOptional(new ArrayList(problems));
}

function unless(isValid: (text: string) => boolean, message: string): Problems {
  return (text) => (isValid(text) ? [] : [message]);
}

function uriProblems(text: string): readonly string[] {
  const problem = urlProblem(text);
  return problem === undefined ? [] : [problem];
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text);
}

function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function isDate(text: string): boolean {
  try {
    parseGoTime(text, '2006-01-02');
    return true;
  } catch (error) {
    if (error instanceof TimeError) return false;
    throw error;
  }
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  const parts = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time ?? '');
  if (parts === null || !isDate(date)) return false;
  const [, hour = '', minute = '', second = ''] = parts;
  return hour <= '23' && minute <= '59' && second <= '59';
}
