import { readsText } from '../cost/text-costs.ts';
import { declare, member, overload, type Library } from '../library.ts';
import { types, type CelType } from '../type.ts';
import { CelError, CelOpaque } from '../value.ts';
import { int } from '../values/range.ts';
import { compareVersions, parseLenientVersion, parseVersion, type SemanticVersion } from './semantic-version.ts';

export const semverType: CelType = types.sealed('kubernetes.Semver');

class CelSemver extends CelOpaque {
  override readonly typeName = 'kubernetes.Semver';
  readonly version: SemanticVersion;

  constructor(version: SemanticVersion) {
    super();
    this.version = version;
  }

  override equals(other: CelOpaque): boolean {
    return other instanceof CelSemver && compareVersions(this.version, other.version) === 0;
  }
}

const { bool, string } = types;
const two = [semverType, semverType];

/** Semantic versions. With a second argument `true`, also `v1.2`. */
export const semverLibrary: Library = {
  name: 'kubernetes.Semver',
  functions: [
    declare(
      'semver',
      overload('string_to_semver', [string], semverType, read, readsText()),
      overload('string_bool_to_semver', [string, bool], semverType, read, readsText()),
    ),
    declare(
      'isSemver',
      overload('is_semver_string', [string], bool, isSemver, readsText()),
      overload('is_semver_string_bool', [string, bool], bool, isSemver, readsText()),
    ),
    declare(
      'isGreaterThan',
      member('semver_is_greater_than', two, bool, (a: CelSemver, b: CelSemver) => order(a, b) > 0),
    ),
    declare(
      'isLessThan',
      member('semver_is_less_than', two, bool, (a: CelSemver, b: CelSemver) => order(a, b) < 0),
    ),
    declare(
      'compareTo',
      member('semver_compare_to', two, types.int, (a: CelSemver, b: CelSemver) => BigInt(order(a, b))),
    ),
    declare(
      'major',
      member('semver_major', [semverType], types.int, ({ version }: CelSemver) =>
        int(BigInt.asIntN(64, version.major)),
      ),
    ),
    declare(
      'minor',
      member('semver_minor', [semverType], types.int, ({ version }: CelSemver) =>
        int(BigInt.asIntN(64, version.minor)),
      ),
    ),
    declare(
      'patch',
      member('semver_patch', [semverType], types.int, ({ version }: CelSemver) =>
        int(BigInt.asIntN(64, version.patch)),
      ),
    ),
  ],
};

function read(text: string, isLenient = false): CelSemver | CelError {
  const version = isLenient ? parseLenientVersion(text) : parseVersion(text);
  return typeof version === 'string' ? new CelError(version) : new CelSemver(version);
}

function isSemver(text: string, isLenient = false): boolean {
  return read(text, isLenient) instanceof CelSemver;
}

function order(a: CelSemver, b: CelSemver): number {
  return compareVersions(a.version, b.version);
}
