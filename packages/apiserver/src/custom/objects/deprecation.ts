import type { DefinitionSpec, DefinitionVersion } from '@flotilla/schema';
import { compareVersions } from '../../resources/version-order.ts';

/** What every answer through a deprecated version warns of. */
export function deprecationOf(
  { group, names, versions }: DefinitionSpec,
  version: DefinitionVersion,
): string | undefined {
  if (version.deprecated !== true) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const said = `${group}/${version.name} ${names.kind} is deprecated`;
  const [newest] = versions
    .filter(({ name, served, deprecated }) => served && deprecated !== true && compareVersions(version.name, name) < 0)
    .map(({ name }) => name)
    .sort((a, b) => compareVersions(b, a));
  return newest === undefined ? said : `${said}; use ${group}/${newest} ${names.kind}`;
}
