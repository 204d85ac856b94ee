import { types, type Library } from '@flotilla/cel';

/** `"abc".reverse()`: newer than the strings library of Kubernetes, but in OCM's. */
export const reverseLibrary: Library = {
  name: 'strings.reverse',
  functions: [
    {
      name: 'reverse',
      overloads: [
        {
          id: 'string_reverse',
          isMember: true,
          parameters: [types.string],
          result: types.string,
          call: (text) =>
            Array.from(text as string)
              .reverse()
              .join(''),
        },
      ],
    },
  ],
};
