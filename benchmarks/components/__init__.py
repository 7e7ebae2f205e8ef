"""How right answers about components of Vue, Svelte and Astro are, by the frameworks' own language servers."""
