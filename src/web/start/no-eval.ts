// The content security policy forbids code made from strings; zod would try it and leave an error in the console.
// It has to know before the first schema is made, and in which order the bundler's pieces run nobody says. So it is
// told by the global name under which zod keeps its settings, before any piece is asked for.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
