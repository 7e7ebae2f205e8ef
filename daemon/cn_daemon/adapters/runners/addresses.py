"""Which addresses are the public's, and not this machine's or a private network's.

By the table of special addresses in `ipaddress` (IANA's); here stands only what that leaves out. Of an address that
holds another one, which a translator on the way takes out of it, both count.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address

# The special-purpose block (Oracle's metadata; `ipaddress` < 3.12 knows a part), Azure's metadata, relays of 6to4.
_RESERVED = (IPv4Network("192.0.0.0/24"), IPv4Network("168.63.129.16/32"), IPv4Network("192.88.99.0/24"))
_UNICAST = IPv6Network("2000::/3")  # all that has ever been given to anybody
_NAT64 = IPv6Network("64:ff9b::/96")
_ISATAP = (0x00005EFE, 0x02005EFE)


def is_public(host: str) -> bool:
    """Whether an address, in any of its spellings, is the public's. A name is, but for this machine's and a local
    network's: only where a proxy looks names up are they asked about."""
    host = host.partition("%")[0].rstrip(".")  # an address with a dot at its end is one, to whoever looks names up
    found = _parsed(host)
    if found is None:
        return _is_public_name(host.lower())
    own = _own_addresses()
    return found not in own and all(_is_public(one) and one not in own for one in _reached(found))


def _parsed(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host))  # 127.1, 0x7f.1, 017700000001, 2130706433
    except (OSError, ValueError):
        return None


def _is_public_name(name: str) -> bool:
    local = name.rpartition(".")[2] in ("localhost", "local", "internal", "lan", "home", "corp", "localdomain")
    return "." in name and not local and not name.endswith(".home.arpa")


def _reached(address: Address) -> Iterator[Address]:
    """The address itself, or the one that it stands for; of what only may hold one (ISATAP), both."""
    if isinstance(address, IPv4Address) or address in _NAT64:
        yield IPv4Address(int(address) & 0xFFFFFFFF)
        return
    # Debian 12: Python 3.11.2 takes every address of 6to4 for a private one.
    if (inner := address.ipv4_mapped or address.sixtofour) is not None:
        yield inner
        return
    yield address
    if int(address) >> 32 & 0xFFFFFFFF in _ISATAP:
        yield IPv4Address(int(address) & 0xFFFFFFFF)


def _is_public(address: Address) -> bool:
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    if isinstance(address, IPv6Address):
        return address in _UNICAST
    return not any(address in network for network in _RESERVED)


def _own_addresses() -> set[Address]:
    """Those of all interfaces, the public's among them: what listens on one is reached from this machine only at times
    (a firewall, an address of a container)."""
    import psutil  # late: only calls of APIs ask

    texts = [row.address for rows in psutil.net_if_addrs().values() for row in rows]
    return {found for one in texts if (found := _parsed(one.partition("%")[0])) is not None}
