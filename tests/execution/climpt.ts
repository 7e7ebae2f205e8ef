// A stand-in for Climpt: it reads its command line and standard input as Climpt does, and prints a prompt.
const { args } = Deno;
const config = args.find((word) => word.startsWith("--config="))?.slice("--config=".length);
const [directive, layer] = args.filter((word) => !word.startsWith("-"));
const given = Object.fromEntries(
  args.filter((word) => /^-[a-z]=/.test(word)).map((word) => [word[1], word.slice(3)]),
);
if (config === "git" && directive === "fail") {
  console.error("Validation error: no such prompt");
  Deno.exit(1);
}
if (directive === "hang") {
  console.error("waiting");
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}
const stdin = await new Response(Deno.stdin.readable).text();
console.log(`# ${config} ${directive} ${layer ?? ""}`.trimEnd());
console.log(JSON.stringify({ given, args, stdin, cwd: Deno.cwd(), secret: Deno.env.get("CN_CATALOG_HEADERS") ?? null }));
if (given.f && given.f !== "-") console.log(await Deno.readTextFile(given.f));
