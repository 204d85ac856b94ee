import { s, type Infer } from '@flotilla/schema';

const serverSideApplyConfig = s.object('Options of server-side apply; only for that type.', {
  force: s.optional(s.boolean('Take fields that other managers own, instead of failing with a conflict.')),
});

/** How objects are applied on a member, and what happens to existing ones. */
export const applyStrategy = s.object('How objects are applied on the member.', {
  type: s.withDefault(
    s.oneOf(
      ['ClientSideApply', 'ServerSideApply', 'ReportDiff'],
      'ClientSideApply is a three-way merge with what was applied last, ServerSideApply leaves the merge to the member; ReportDiff applies nothing and reports how the member differs.',
    ),
    'ClientSideApply',
  ),
  comparisonOption: s.withDefault(
    s.oneOf(
      ['PartialComparison', 'FullComparison'],
      'Which fields are compared: those that the hub sets, or all fields of either side.',
    ),
    'PartialComparison',
  ),
  whenToApply: s.withDefault(
    s.oneOf(
      ['Always', 'IfNotDrifted'],
      'Always overwrites changes on the member; IfNotDrifted keeps them and reports the drift.',
    ),
    'Always',
  ),
  whenToTakeOver: s.withDefault(
    s.oneOf(
      ['Always', 'IfNoDiff', 'Never'],
      'Whether to take over an existing object on the member: always, only if it matches the manifest, or never.',
    ),
    'Always',
  ),
  allowCoOwnership: s.optional(
    s.boolean('Also apply to objects that have other owners; otherwise these are an error.'),
  ),
  serverSideApplyConfig: s.optional(serverSideApplyConfig),
});

export type ApplyStrategy = Infer<typeof applyStrategy>;

/** Whether the statuses of applied objects are copied to the hub. Placements add another rule. */
export const reportBackStrategyFields = {
  type: s.requiredWithDefault(
    s.oneOf(['Disabled', 'Mirror'], 'Disabled reports nothing; Mirror copies the status from the member.'),
    'Disabled',
  ),
  destination: s.optional(
    s.oneOf(
      ['OriginalResource', 'WorkAPI'],
      'Where to write statuses: to the original object on the hub, or to the Work.',
    ),
  ),
} as const;

export const reportBackStrategy = s.object(
  'How statuses of applied objects are reported to the hub.',
  reportBackStrategyFields,
);

export type ReportBackStrategy = Infer<typeof reportBackStrategy>;

/** One field that differs between the member and the hub. */
export const patchDetail = s.object('One field that differs.', {
  path: s.string('Path of the field, as a JSON pointer.'),
  valueInMember: s.optional(s.string('Value on the member; absent if it has none.')),
  valueInHub: s.optional(s.string('Value on the hub; absent if it has none.')),
});

export type PatchDetail = Infer<typeof patchDetail>;
