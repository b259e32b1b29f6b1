"""Configuration files: good ones, and those that are refused."""

PORT = '[[port]]\nnumber = 2\ncapacity = "10Mbit"\n'
GOLD = '[[port.agreement]]\nname = "gold"\nloss = 0.01\n'

QUEUES = PORT + "[[port.queue]]\nnumber = 0\n[[port.queue]]\nnumber = 7\n"

FLEET = """\
[defaults]
capacity = "10Gbit"

[[switch]]
name = "spine"
grpc-addr = "192.0.2.1:9559"
memory = "32MiB"

[[switch.port]]
number = "1-256"

[[switch]]
name = "leaf"
grpc-addr = "192.0.2.2:9559"
interval = "10ms"

[[switch.port]]
number = ["1-4", 9]
policy = "static"

[[switch.port]]
number = 48
loss = 0.001

[switch.port.parameters]
precision = 0.2
"""

TWO_ON_ONE_LINE = """\
switch = [\
{name = "a", grpc-addr = "192.0.2.1:9559", port = [{number = 1}]}, \
{name = "b", grpc-addr = "192.0.2.2:9559", port = [{number = 1}]}]
"""

# Each is refused; the messages are in golden/config_errors.txt.
REFUSED = {
    "no port": "[switch]\n",
    "syntax": "[switch\n",
    "table twice": "[switch]\n[switch]\n",
    "key twice": '[switch]\ngrpc-addr = "a:1"\ngrpc-addr = "b:1"\n',
    "key twice at the end": '[switch]\nname = "a"\nname = "b"',
    "table of a table twice": PORT + "parameters = {}\n[port.parameters]\n",
    "parameter in a line of its own": PORT + "loss = 0.1\nparameters = { precision = 0 }\n",
    "syntax at the end": '[switch]\ngrpc-addr = """',
    "utilization above 1": PORT + "utilization = 1.2\n",
    "utilization 1": PORT + "utilization = 1\n",
    "loss 0": PORT + "loss = 0.0\n",
    "path as a number": "[switch]\ntls-ca = 3\n" + PORT,
    "text as a number": "[switch]\npush-pipeline = 3\n" + PORT,
    "path as a list": "[switch]\nruntime = []\n" + PORT,
    "table as a number": PORT + "parameters = 3\n",
    "device id of 65 bits": f"[switch]\ndevice-id = {2**64}\n" + PORT,
    "loss as text": PORT + 'loss = "little"\n',
    "unknown policy": PORT + 'policy = "adt2"\n',
    "removed policy": PORT + 'policy = "abs-1"\n[port.parameters]\nloss-gain = 0.3\n',
    "policy without what it requires": PORT + 'policy = "bscl"\n[port.parameters]\nn-flows = 9\n',
    "delay cap without a delay": PORT + 'policy = "delay-cap"\n',
    "dotted keys nested too deep": f"{'.'.join(['a'] * 3000)} = 1\n",
    "key of a switch beside it": 'interval = "100ms"\n' + PORT,
    "key of a switch in a port": PORT + 'memory = "1MB"\n',
    "key of a port in a switch": '[switch]\ncapacity = "10Mbit"\n' + PORT,
    "parameter beside its table": PORT + "precision = 0.2\n",
    "parameter of another policy": PORT + 'policy = "static"\nprecision = 0.2\n',
    "number in capitals": "[[port]]\nNumber = 2\n",
    "misspelt key": PORT + "utilisation = 0.9\n",
    "unknown key": PORT + "colour = 1\n",
    "key of nothing": PORT + '"" = 1\n',
    "unknown default": "[defaults]\ncolour = 1\n" + PORT,
    "misspelt number among defaults": "[defaults]\nnumbr = 1\n" + PORT,
    "number beside its port": "number = 1\n" + PORT,
    "size as a boolean": PORT + "min-limit = true\n",
    "size as a date": PORT + "safe-limit = 2026-01-31\n",
    "duration as a date with a time": PORT + "max-delay = 2026-01-31T07:32:00Z\n",
    "size as a time": PORT + "max-limit = 07:32:00\n",
    "code points as booleans": PORT + "[[port.queue]]\nnumber = 1\ndscp = [true, 1]\n",
    "size as a table": PORT + 'initial-limit = { low = true, high = "1MB" }\n',
    "number as a list with a boolean": "[[port]]\nnumber = [true, '2']\n",
    "key of escape characters": PORT + '"\\u001b[31m" = 1\n',
    "misspelt table": PORT + "[swich]\ninterval = 1\n",
    "unknown parameter below a known one": PORT + "[port.parameters]\nprecision = 2\nnope = 1\n",
    "parameter as a list": PORT + "[port.parameters]\nprecision = [2]\n",
    "parameter with a hyphen as a list": (
        PORT + 'policy = "stanford"\n[port.parameters]\nn-flows = [2]\n'
    ),
    "parameter as text": PORT + '[port.parameters]\nprecision = "much"\n',
    "negative rate": '[[port]]\nnumber = 2\ncapacity = "-10Mbit"\n',
    "absurd rate": '[[port]]\nnumber = 2\ncapacity = "99Tbit"\n',
    "rate without unit": "[[port]]\nnumber = 2\ncapacity = 10\n",
    "departures without capacity": '[[port]]\nnumber = 2\nutilization-from = "departures"\n',
    "ecn marking as a number": PORT + "ecn-marking = 2\n",
    "utilization from elsewhere": PORT + 'utilization-from = "drops"\n',
    "no delay and no capacity": '[[port]]\nnumber = 2\nmax-delay = "0s"\n',
    "limit below a frame, no capacity": '[[port]]\nnumber = 2\ninitial-limit = "1kB"\n',
    "limit above the highest, no capacity": (
        '[[port]]\nnumber = 2\nmax-limit = "10kB"\nsafe-limit = "20kB"\n'
    ),
    "parameter, no capacity": '[[port]]\nnumber = 2\npolicy = "fpq"\n',
    "text without quotes": "[switch]\nname = leaf-1\n[[port]]\nnumber = 2\n",
    "number misspelt": '[[port]]\nnummer = 2\ncapacity = "10Mbit"\n',
    "number missing": '[[port]]\ncapacity = "10Mbit"\n',
    "negative number": '[[port]]\nnumber = -1\ncapacity = "10Mbit"\n',
    "port beyond the program's": "[[port]]\nnumber = 512\n",
    "range beyond the program's": '[[port]]\nnumber = "500-4294967295"\n',
    "range reversed": '[[port]]\nnumber = [1, "8-5"]\n',
    "range without an end": '[[port]]\nnumber = "5-"\n',
    "range of nothing": "[[port]]\nnumber = []\n",
    "number of another type": "[[port]]\nnumber = true\n",
    "port twice in a list": '[[port]]\nnumber = [3, "1-4"]\n',
    "port in two ranges": '[[port]]\nnumber = "1-8"\n[[port]]\nloss = 0.1\nnumber = ["8-9"]\n',
    "number among the defaults": "[defaults]\nnumber = 1\n[[port]]\nnumber = 2\n",
    "defaults as an array": "[[defaults]]\nloss = 0.1\n[[port]]\nnumber = 2\n",
    "loss in percent": '[[port]]\nnumber = 2\nloss = "2%"\n',
    "utilization of 100 percent": '[[port]]\nnumber = 2\nutilization = "100%"\n',
    "wrong default": "[defaults]\nloss = 7\n[[port]]\nnumber = 2\n",
    "wrong default parameter": PORT + "[defaults.parameters]\nprecision = -1\n",
    "misspelt default": "[defaults]\nlos = 0.1\n[[port]]\nnumber = 2\n",
    "misspelt defaults": "[default]\nloss = 0.1\n[[port]]\nnumber = 2\n",
    "defaults alone": "[defaults]\nloss = 0.1\n",
    "port as a table": '[port]\nnumber = 2\ncapacity = "10Mbit"\n',
    "port as a number": "port = 1\n",
    "ports as numbers": "port = [1]\n",
    "second port": PORT + '\n[[port]]\nnumber = 3\ncapacity = "10Mbps"\n',
    "port twice": PORT + PORT,
    "interval too short": '[switch]\ninterval = "10us"\n' + PORT,
    "address of IPv6 without brackets": '[switch]\ngrpc-addr = "::1:9559"\n' + PORT,
    "rate as a list": '[[port]]\nnumber = 2\ncapacity = ["1Mbit"]\n',
    "election id of 129 bits": f"[switch]\nelection-id = {1 << 128}\n" + PORT,
    "address without port": '[switch]\ngrpc-addr = "localhost"\n' + PORT,
    "TLS key without certificate": '[switch]\ntls-ca = "a"\ntls-key = "b"\n' + PORT,
    "TLS key without CA": '[switch]\ntls-certificate = "a"\ntls-key = "b"\n' + PORT,
    "election id 0": "[switch]\nelection-id = 0\n" + PORT,
    "memory too small": '[switch]\nmemory = "1kB"\n' + PORT,
    "neither switch nor port": "",
    "misspelt port table": "[[prot]]\nnumber = 2\n",
    "no switch": "switch = []\n",
    "switch of another type": "switch = 3\n",
    "switches of another type": "switch = [3]\n",
    "port beside switches": FLEET + PORT,
    "port beside a switch's ports": "[switch]\n[[switch.port]]\nnumber = 1\n" + PORT,
    "switch without ports": FLEET + '[[switch]]\ngrpc-addr = "192.0.2.3:9559"\n',
    "switches of one name": FLEET.replace('"leaf"', '"spine"'),
    "switches of one address and device": FLEET.replace("192.0.2.2", "192.0.2.1"),
    "switches of one name on one line": TWO_ON_ONE_LINE.replace('"b"', '"a"'),
    "switches of one address on one line": TWO_ON_ONE_LINE.replace("192.0.2.2", "192.0.2.1"),
    "switches without an address": "[[switch]]\n[[switch.port]]\nnumber = 1\n" * 2,
    "name of two words": FLEET.replace('"leaf"', '"leaf 2"'),
    "name of nothing": FLEET.replace('"leaf"', '""'),
    "port twice of a switch": FLEET.replace("number = 48", 'number = "4-9"'),
    "unknown key of the second switch": FLEET.replace("interval", "intervall"),
    "wrong value of the second switch's port": FLEET.replace("0.001", "1.001"),
    "wrong parameter of the second switch's port": FLEET.replace("0.2\n", "-1\n"),
    "memory of the first switch too small": FLEET.replace("32MiB", "1MB").replace("256", "500"),
    "limit below a frame": PORT + 'min-limit = "100B"\n',
    "limits the wrong way round": PORT + 'min-limit = "20kB"\nmax-limit = "10kB"\n',
    "delay below a frame": PORT + 'max-delay = "10us"\n',
    "initial limit out of bounds": PORT + 'initial-limit = "1GB"\n',
    "agreement without a name": PORT + "[[port.agreement]]\nloss = 0.01\n",
    "agreement with an odd name": PORT + '[[port.agreement]]\nname = "a b"\nloss = 0.01\n',
    "agreement about nothing": PORT + '[[port.agreement]]\nname = "gold"\nwindow = "5s"\n',
    "agreement with an unknown key": PORT + GOLD + "losses = 0.1\n",
    "agreement with a loss above 1": PORT + GOLD.replace("0.01", "7"),
    "agreement without a unit": PORT + GOLD + "delay = 5\n",
    "agreement with no percentile": PORT + GOLD + 'delay = "5ms"\npercentile = 101\n',
    "agreement with a percentile of nothing": PORT + GOLD + "percentile = 50\n",
    "agreement with a window below the interval": (
        '[switch]\ninterval = "5s"\n' + PORT + GOLD + 'window = "1s"\n'
    ),
    "agreement that cannot be kept": PORT + GOLD + "utilization = 0.9\nvoid-above = 0.7\n",
    "agreement with a period below a window": PORT + GOLD + 'window = "2h"\n',
    "agreements of one name": PORT + GOLD + GOLD,
    "second agreement": PORT + GOLD + '[[port.agreement]]\nname = "b"\nloss = 0.1\nobjective = 2\n',
    "agreement as one table": PORT + '[port.agreement]\nname = "gold"\nloss = 0.01\n',
    "wrong default agreement": '[[defaults.agreement]]\nname = "gold"\nloss = 7\n' + PORT,
    "priority beyond the highest": PORT + "priority = 8\n",
    "priority as a word": PORT + 'priority = "high"\n',
    "priority of another type": PORT + "priority = true\n",
    "wrong default priority": "[defaults]\npriority = -1\n" + PORT,
    "agreement with a name of other letters": PORT + GOLD.replace("gold", "g\u00f6lden-zwei"),
    "agreement with a percentile as a share": PORT + GOLD + 'delay = "5ms"\npercentile = 0.99\n',
    "rate in digits of full width": '[[port]]\nnumber = 2\ncapacity = "\uff11\uff10Mbit"\n',
    "entries for a target without P4Runtime": (
        '[switch]\ntarget = "bfrt"\nruntime = "a.json"\n' + PORT
    ),
    "role for a target without roles": (
        '[switch]\ntarget = "bfrt"\nrole = "buffer_control"\n' + PORT
    ),
    "mode that there is not": PORT + 'mode = "watch"\n',
    "front-panel name of two ports": (
        '[[port]]\nnumber = 2\nname = "Ethernet1/1"\n[[port]]\nnumber = 3\nname = "Ethernet1/1"\n'
    ),
    "front-panel name of a range": '[[port]]\nnumber = "1-4"\nname = "Ethernet1"\n',
    "front-panel name of two words": PORT + 'name = "Ethernet 1"\n',
    "front-panel name that is a number": PORT + 'name = "7"\n',
    "step of nothing": PORT + 'max-step = "0B"\n',
    "step of no share": PORT + 'max-step = "0%"\n',
    "step of the number 0": PORT + "max-step = 0\n",
    "step of more than all": PORT + 'max-step = "101%"\n',
    "step without a unit": PORT + 'max-step = "16"\n',
    "safe limit of all above what max-delay allows": (
        '[defaults]\nsafe-limit = "120kB"\n' + PORT + 'max-delay = "20ms"\n'
    ),
    "safe limit out of bounds": PORT + 'safe-limit = "1GB"\n',
    "queue beyond the highest": QUEUES.replace("7", "8"),
    "queue without a number": PORT + "[[port.queue]]\nloss = 0.1\n",
    "queue as a list": QUEUES.replace("7", "[7]"),
    "queue as text": QUEUES.replace("7", '"7"'),
    "queue twice": QUEUES.replace("7", "0"),
    "queue as a number": PORT + "queue = 7\n",
    "queue as one table": PORT + "[port.queue]\nnumber = 7\n",
    "queue as a default number": "[defaults]\nqueue = 7\n" + PORT,
    "queues without a capacity": "[[port]]\nnumber = 2\n[[port.queue]]\nnumber = 1\n",
    "queue with a rate of its own": QUEUES + 'capacity = "1Mbit"\n',
    "queue with a name of its own": QUEUES + 'name = "voice"\n',
    "queue with a mode of its own": QUEUES + 'mode = "observe"\n',
    "misspelt key of a queue": QUEUES + "los = 0.1\n",
    "unknown key of a queue": QUEUES + "weight = 3\n",
    "key of a queue of two lines": QUEUES + '"a\\nb" = 1\n',
    "wrong value of a queue": QUEUES + "loss = 7\n",
    "utilization of a queue from departures": QUEUES + 'utilization-from = "departures"\n',
    "code point of a port": PORT + "dscp = [46]\n",
    "code point that is no list": QUEUES + "dscp = 46\n",
    "code point beyond the highest": QUEUES + "dscp = [64]\n",
    "code point twice": QUEUES + "dscp = [46, 10, 46]\n",
    "code point of two queues": QUEUES.replace("0\n[", "0\ndscp = [46]\n[") + "dscp = [46]\n",
    "static queue without a limit where memory is shared": (
        '[switch]\nmemory = "1MB"\n' + QUEUES + 'policy = "static"\n'
    ),
}
